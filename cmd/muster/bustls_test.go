package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	nats "github.com/nats-io/nats-server/v2/server"

	"muster/cmd/internal/credentials"
	"muster/net/replication/natsbus"
)

// signed writes a certificate for this machine, signed by itself, and its key. A server and a client may show it.
func signed(t *testing.T) (cert, key string) {
	t.Helper()
	pair, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "muster test"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, NotAfter: time.Now().Add(time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, IsCA: true, BasicConstraintsValid: true,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, pair.Public(), pair)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(pair)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(t.TempDir(), "cert.pem"), filepath.Join(t.TempDir(), "key.pem")
	for file, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key
}

// A process reaches NATS over TLS with the certificate that it has, and neither without one nor at a server of which it does not know the signer.
func TestBusTLS(t *testing.T) {
	t.Parallel()
	cert, key := signed(t)
	s, folder := guarded(t, func(o *nats.Options) {
		config, err := nats.GenTLSConfig(&nats.TLSConfigOpts{CertFile: cert, KeyFile: key, CaFile: cert, Verify: true})
		if err != nil {
			t.Fatal(err)
		}
		config.ClientAuth = tls.RequireAndVerifyClientCert
		o.TLSConfig, o.TLS, o.TLSVerify = config, true, true
	})
	c := natsbus.Config{URL: s.ClientURL(), Role: natsbus.Gateway, Credentials: credentials.File(folder, natsbus.Gateway, "a"), CA: cert, Cert: cert, Key: key}
	bus, err := natsbus.Connect(c)
	if err != nil {
		t.Fatal(err)
	}
	defer bus.Close()
	if err := bus.Flush(); err != nil {
		t.Error(err)
	}
	bare, strange := c, c
	bare.Cert, bare.Key = "", ""
	strange.CA, _ = signed(t)
	for what, c := range map[string]natsbus.Config{"without a certificate": bare, "to a server of an unknown signer": strange} {
		if bus, err := natsbus.Connect(c); err == nil {
			bus.Close()
			t.Errorf("connected %s", what)
		}
	}
}

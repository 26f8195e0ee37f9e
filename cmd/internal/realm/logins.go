package realm

import (
	"context"
	"crypto/rand"

	"muster/cmd/internal/seats"
	"muster/cmd/internal/storage"
	"muster/net/login"
)

// newLogon makes the login server. The gateway must listen: its address is in the realm list.
func (r *Realm) newLogon() (*login.Server, error) {
	password, err := r.config.OpenPassword()
	if err != nil {
		return nil, err
	}
	address, local := r.address()
	if local {
		r.Log.Warn("the realm list sends clients to this host: others need --realm-address", "address", address)
	}
	secret, err := storage.Secret(r.config.Data)
	if m := r.config.member; m != nil && err == nil { // that of all processes for logins: salts are to be alike
		if secret == nil {
			secret = make([]byte, storage.SecretSize)
			rand.Read(secret) // never fails
		}
		secret, err = m.Registry.Secret(context.Background(), secret)
	}
	if err != nil {
		return nil, err
	}
	seats := seats.Share(seats.Descriptors(), r.config.MaxPlayers)
	return login.New(login.Config{
		Realms:       []login.Realm{{Name: r.config.RealmName, Address: address}},
		List:         r.list(),
		OpenPassword: password, OpenLevel: r.config.OpenLevel,
		MaxConns: seats.Logins, PerAddress: r.config.MaxPerAddress, LimitLoopback: r.config.LimitLoopback,
		Guard:  r.config.WrongPass.Guard(r.config.LimitLoopback, secret, r.Metric, r.Log, r.store),
		Secret: secret, Metric: r.Metric, Log: r.Log,
	}, r.store)
}

// Package scaler has something else than muster run as many processes as are wanted: a command, or Kubernetes.
package scaler

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A Scaler has so many processes run. It is called again with the same number while there are others.
type Scaler interface {
	Scale(ctx context.Context, n int) error
}

// Bounds, our own choices.
const (
	Timeout   = 30 * time.Second // of one call
	MaxAnswer = 64 << 10         // bytes of what is answered, and of what a command prints
	maxShown  = 400              // bytes of that in an error
)

// An Exec runs a command with the number as its last argument.
type Exec struct {
	Command []string // the program and its arguments
}

// Scale implements Scaler. The error has the end of what the command has printed.
func (e *Exec) Scale(ctx context.Context, n int) error {
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	args := append(e.Command[1:len(e.Command):len(e.Command)], strconv.Itoa(n))
	c := exec.CommandContext(ctx, e.Command[0], args...)
	c.WaitDelay = time.Second
	said := new(tail)
	c.Stdout, c.Stderr = said, said
	if err := c.Run(); err != nil {
		return fmt.Errorf("scaler: %s: %w: %s", e.Command[0], err, said)
	}
	return nil
}

// A tail keeps the last maxShown bytes of what is written.
type tail struct{ kept []byte }

func (t *tail) Write(b []byte) (int, error) {
	t.kept = append(t.kept, b[max(len(b)-maxShown, 0):]...)
	t.kept = t.kept[max(len(t.kept)-maxShown, 0):]
	return len(b), nil
}

func (t *tail) String() string { return strings.TrimSpace(string(t.kept)) }

// A Kubernetes sets the replicas of a workload.
type Kubernetes struct {
	target string // URL of its scale
	token  string // file, which is read each time: Kubernetes renews it
	client http.Client
}

// KubernetesConfig says which workload. Empty is as in a pod: the API server of its cluster, and its service account.
type KubernetesConfig struct {
	Workload string // NAMESPACE/deployments/NAME, or statefulsets
	URL      string // of the API server
	Folder   string // has token and ca.crt
	Environ  func(string) string
}

// serviceAccount is where a pod has the token of its service account. Source: Kubernetes, Accessing the Kubernetes API from a Pod.
const serviceAccount = "/var/run/secrets/kubernetes.io/serviceaccount"

// CheckWorkload refuses what names no workload.
func CheckWorkload(text string) error {
	p := strings.Split(text, "/")
	if len(p) != 3 || p[0] == "" || p[2] == "" || p[1] != "deployments" && p[1] != "statefulsets" {
		return fmt.Errorf("want NAMESPACE/deployments/NAME or NAMESPACE/statefulsets/NAME, not %q", text)
	}
	return nil
}

// NewKubernetes returns what scales a workload. The service account needs the verb patch on the resource deployments/scale.
func NewKubernetes(c KubernetesConfig) (*Kubernetes, error) {
	if err := CheckWorkload(c.Workload); err != nil {
		return nil, fmt.Errorf("scaler: %w", err)
	}
	p := strings.Split(c.Workload, "/")
	c.Folder = cmp.Or(c.Folder, serviceAccount)
	k := &Kubernetes{token: filepath.Join(c.Folder, "token"), client: http.Client{Timeout: Timeout}}
	if c.URL == "" {
		host, port := c.Environ("KUBERNETES_SERVICE_HOST"), c.Environ("KUBERNETES_SERVICE_PORT")
		if host == "" || port == "" {
			return nil, errors.New("scaler: this is no pod: KUBERNETES_SERVICE_HOST and _PORT do not say where the API server is")
		}
		c.URL = "https://" + net.JoinHostPort(host, port)
		signers, err := os.ReadFile(filepath.Join(c.Folder, "ca.crt"))
		if err != nil {
			return nil, fmt.Errorf("scaler: %w", err)
		}
		pool := x509.NewCertPool()
		if !pool.AppendCertsFromPEM(signers) {
			return nil, fmt.Errorf("scaler: %s/ca.crt has no certificate", c.Folder)
		}
		k.client.Transport = &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}
	}
	var err error
	k.target, err = url.JoinPath(c.URL, "apis/apps/v1/namespaces", url.PathEscape(p[0]), p[1], url.PathEscape(p[2]), "scale")
	if err != nil {
		return nil, fmt.Errorf("scaler: %w", err)
	}
	return k, nil
}

// Scale implements Scaler. The error has what the API server says.
func (k *Kubernetes) Scale(ctx context.Context, n int) error {
	token, err := os.ReadFile(k.token)
	if err != nil {
		return fmt.Errorf("scaler: %w", err)
	}
	q, err := http.NewRequestWithContext(ctx, http.MethodPatch, k.target, bytes.NewReader(fmt.Appendf(nil, `{"spec":{"replicas":%d}}`, n)))
	if err != nil {
		return fmt.Errorf("scaler: %w", err)
	}
	q.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
	q.Header.Set("Content-Type", "application/merge-patch+json")
	q.Header.Set("Accept", "application/json")
	r, err := k.client.Do(q)
	if err != nil {
		return fmt.Errorf("scaler: %w", err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(io.LimitReader(r.Body, MaxAnswer))
	switch {
	case err != nil:
		return fmt.Errorf("scaler: %w", err)
	case r.StatusCode/100 == 2:
		return nil
	}
	var status struct{ Message string }
	json.Unmarshal(text, &status) // what is no JSON has no message
	message := cmp.Or(status.Message, "no message")
	return fmt.Errorf("scaler: Kubernetes says %d: %s", r.StatusCode, message[:min(len(message), maxShown)])
}

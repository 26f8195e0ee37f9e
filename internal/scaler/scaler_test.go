package scaler_test

import (
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"muster/internal/scaler"
)

// A command is given the number behind its arguments, and its error says what it has printed.
func TestExec(t *testing.T) {
	file := filepath.Join(t.TempDir(), "called")
	e := &scaler.Exec{Command: []string{"sh", "-c", `echo "$@" >>` + file, "workers"}}
	for n := range 3 {
		if err := e.Scale(t.Context(), n); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "0\n1\n2\n" {
		t.Errorf("it was called with %q, %v", text, err)
	}
	e = &scaler.Exec{Command: []string{"sh", "-c", `head -c 100000 /dev/zero | tr '\0' x; echo " no room"; exit 3`, "workers"}}
	err := e.Scale(t.Context(), 1)
	if err == nil || !strings.HasPrefix(err.Error(), "scaler: sh: exit status 3: xxx") || !strings.HasSuffix(err.Error(), "x no room") || len(err.Error()) > 500 {
		t.Errorf("%v", err)
	}
}

// A pod of the test has a service account, and an API server with a certificate of its own.
func pod(t *testing.T, answer http.HandlerFunc) scaler.KubernetesConfig {
	t.Helper()
	s := httptest.NewTLSServer(answer)
	t.Cleanup(s.Close)
	dir := t.TempDir()
	signer := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	for name, text := range map[string]string{"token": "first\n", "ca.crt": string(signer)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	at, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	return scaler.KubernetesConfig{Workload: "games/deployments/workers", Folder: dir, Environ: func(name string) string {
		return map[string]string{"KUBERNETES_SERVICE_HOST": at.Hostname(), "KUBERNETES_SERVICE_PORT": at.Port()}[name]
	}}
}

// The replicas of the workload are patched, with the token as it is then.
//
// Source: Kubernetes, Deployment, partially update scale of the specified Deployment.
func TestKubernetes(t *testing.T) {
	var got []string
	c := pod(t, func(w http.ResponseWriter, q *http.Request) {
		body, _ := io.ReadAll(q.Body)
		got = append(got, strings.Join([]string{q.Method, q.URL.Path, q.Header.Get("Authorization"), q.Header.Get("Content-Type"), string(body)}, " "))
		io.WriteString(w, `{"kind":"Scale","spec":{"replicas":4}}`)
	})
	k, err := scaler.NewKubernetes(c)
	if err != nil {
		t.Fatal(err)
	}
	if err := k.Scale(t.Context(), 4); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(c.Folder, "token"), []byte("second"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := k.Scale(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	const path = "PATCH /apis/apps/v1/namespaces/games/deployments/workers/scale Bearer "
	const patch = " application/merge-patch+json "
	if want := []string{path + "first" + patch + `{"spec":{"replicas":4}}`, path + "second" + patch + `{"spec":{"replicas":0}}`}; strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("it was asked\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestKubernetesRefuses(t *testing.T) {
	for body, want := range map[string]string{
		`{"kind":"Status","message":"deployments.apps \"workers\" is forbidden"}`: `Kubernetes says 403: deployments.apps "workers" is forbidden`,
		"<html>": "Kubernetes says 403: no message",
		`{"message":"` + strings.Repeat("x", 100_000) + `"}`: "Kubernetes says 403: no message", // longer than is read
	} {
		k, err := scaler.NewKubernetes(pod(t, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusForbidden)
			io.WriteString(w, body)
		}))
		if err != nil {
			t.Fatal(err)
		}
		if err := k.Scale(t.Context(), 1); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	none := func(string) string { return "" }
	for _, workload := range []string{"", "workers", "games/pods/workers", "/deployments/x", "games/deployments/", "a/deployments/b/c"} {
		if _, err := scaler.NewKubernetes(scaler.KubernetesConfig{Workload: workload, Environ: none}); err == nil {
			t.Errorf("%q is taken", workload)
		}
	}
	if _, err := scaler.NewKubernetes(scaler.KubernetesConfig{Workload: "a/deployments/b", Environ: none}); err == nil || !strings.Contains(err.Error(), "this is no pod") {
		t.Errorf("outside of a pod: %v", err)
	}
}

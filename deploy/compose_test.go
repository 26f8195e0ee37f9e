package deploy

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A composed is what the test looks at of a compose file.
type composed struct {
	Services map[string]struct {
		Image       string
		Command     []string
		Environment map[string]string
		User        string
		ReadOnly    bool     `json:"read_only"`
		CapDrop     []string `json:"cap_drop"`
		Secrets     []struct{ Source string }
		Ports       []struct {
			HostIP    string `json:"host_ip"`
			Target    int
			Published string
		}
		Volumes []struct{ Type, Source, Target string }
	}
	Secrets map[string]struct{ Environment string }
	Volumes map[string]any
}

// The compose file is one by the Compose Specification, what it mounts is there, and only players reach it from outside.
func TestCompose(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	var c composed // its paths are of the folder that the tool runs in
	said := run(t, "go", append([]string{"tool", "-C", "compose", "-modfile=" + filepath.Join(root, "tools/compose.mod")},
		"cmd", "-no-interpolation", "-format", "json", "compose.yaml")...)
	if err := json.Unmarshal([]byte(said), &c); err != nil {
		t.Fatal(err)
	}
	open := make(map[int]bool)
	for name, s := range c.Services {
		for _, p := range s.Ports {
			if p.HostIP == "" {
				open[p.Target] = true
			} else if p.HostIP != "127.0.0.1" {
				t.Errorf("%s publishes %d on %s", name, p.Target, p.HostIP)
			}
		}
		for _, v := range s.Volumes {
			if v.Type == "bind" {
				if _, err := os.Stat(v.Source); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			} else if _, ok := c.Volumes[v.Source]; !ok {
				t.Errorf("%s mounts %s, which is no volume", name, v.Source)
			}
		}
		for _, secret := range s.Secrets {
			if s.ReadOnly { // docker compose copies a secret of the environment into the container, and refuses to start this one
				t.Errorf("%s is read only, and has the secret %s", name, secret.Source)
			}
			if c.Secrets[secret.Source].Environment != "MUSTER_ADMIN_TOKEN" {
				t.Errorf("%s has a secret %s", name, secret.Source)
			}
		}
	}
	if len(open) != 2 || !open[3724] || !open[8085] {
		t.Errorf("open to all are %v, want logins and players", open)
	}
	m := c.Services["muster"]
	if !m.ReadOnly || !slices.Equal(m.CapDrop, []string{"ALL"}) || m.User != "" { // the image's, which is not root
		t.Errorf("muster runs with %+v", m)
	}
	if len(c.Services) != 4 || !slices.Contains(m.Command, "postgres://muster@postgres/muster") {
		t.Errorf("services: %+v", c.Services)
	}
	// Settings exist under these names.
	sample := read(t, "../muster.conf")
	for variable := range m.Environment {
		key, ours := strings.CutPrefix(variable, "MUSTER_")
		if key = camel(key); ours && !strings.Contains(sample, "\n"+key+" = ") && !strings.Contains(sample, "\n# "+key+" =") {
			t.Errorf("muster.conf has no %s", key)
		}
	}
	for _, word := range m.Command {
		if flag, ok := strings.CutPrefix(word, "--"); ok && !strings.Contains(sample, "\n# "+camel(flag)+" =") {
			t.Errorf("muster.conf has no %s", camel(flag))
		}
	}
	dashboards, err := filepath.Glob("../docs/grafana/*.json")
	if err != nil || len(dashboards) < 2 {
		t.Errorf("dashboards that Grafana is given: %v, %v", dashboards, err)
	}
}

// camel is a key of muster.conf, of the name of a flag or a variable.
func camel(name string) string {
	var b strings.Builder
	for _, word := range strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r == '-' || r == '_' }) {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}

// What is not as the specification has it is noticed.
func TestComposeSchema(t *testing.T) {
	t.Parallel()
	broken := strings.Replace(read(t, "compose/compose.yaml"), "restart: unless-stopped", "restarts: unless-stopped", 1)
	file := write(t, filepath.Join(t.TempDir(), "compose.yaml"), broken)
	if _, said, err := try(t, "go", tool("compose", "cmd", "-no-interpolation", file)...); err == nil || !strings.Contains(said, "restarts") {
		t.Errorf("an unknown key: %v\n%s", err, said)
	}
}

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
		ReadOnly    bool `json:"read_only"`
		Tmpfs       []string
		CapDrop     []string `json:"cap_drop"`
		Secrets     []struct{ Source string }
		Healthcheck struct {
			Test        []string
			StartPeriod string `json:"start_period"`
		}
		DependsOn map[string]struct{ Condition string } `json:"depends_on"`
		Ports     []struct {
			HostIP    string `json:"host_ip"`
			Target    int
			Published string
		}
		Volumes []struct {
			Type, Source, Target string
			ReadOnly             bool `json:"read_only"`
			Volume               struct{ Subpath string }
		}
	}
	Secrets map[string]struct{ Environment string }
	Volumes map[string]any
}

// A compose file is one by the Compose Specification, what it mounts is there, only players reach it from outside, and muster is given
// flags that its verbs have.
func TestCompose(t *testing.T) {
	t.Parallel()
	for _, file := range []struct {
		name     string
		services int
		ours     []string
		open     []string // ports of the machine
	}{
		{"compose.yaml", 4, []string{"muster"}, []string{"3724", "8085"}},
		{"cluster.yaml", 11, []string{"gateway-1", "gateway-2", "login-1", "login-2", "orchestrator", "worker"}, []string{"3724", "3725", "8085", "8087"}},
	} {
		t.Run(file.name, func(t *testing.T) {
			c := compose(t, file.name)
			if len(c.Services) != file.services {
				t.Errorf("%d services, want %d: %+v", len(c.Services), file.services, c.Services)
			}
			if open := c.mounts(t); !slices.Equal(open, file.open) {
				t.Errorf("open to all are %v, want %v", open, file.open)
			}
			for _, name := range file.ours {
				m := c.Services[name]
				if !m.ReadOnly || !slices.Equal(m.Tmpfs, []string{"/tmp"}) || !slices.Equal(m.CapDrop, []string{"ALL"}) || m.User != "" { // the image's, which is not root
					t.Errorf("%s runs with %+v", name, m)
				}
				// As a variable, for what is run beside the server: muster account would otherwise make accounts in a folder that no server reads.
				if database := m.Environment["MUSTER_DATABASE"]; database != "postgres://muster@postgres/muster" || slices.Contains(m.Command, "--database") {
					t.Errorf("%s has the database %q, and is given %q", name, database, m.Command)
				}
				// Logins alone do without NATS: orchestrators without it have no instances for those who enter dungeons.
				if file.name == "cluster.yaml" && slices.Contains(m.Command, "nats://nats:4222") == strings.HasPrefix(name, "login") {
					t.Errorf("%s is given %q", name, m.Command)
				}
				if test := m.Healthcheck.Test; len(test) < 3 || test[0] != "CMD" || test[1] != "/muster" {
					t.Errorf("%s is asked for its health by %q", name, test)
				}
				settings(t, m.Command, m.Environment)
			}
			// What waits for PostgreSQL waits for the server that stays, not for the one on the socket alone with which the image makes the database.
			check := c.Services["postgres"].Healthcheck
			if !slices.Equal(check.Test, []string{"CMD", "pg_isready", "-U", "muster", "-h", "127.0.0.1"}) || check.StartPeriod == "" {
				t.Errorf("PostgreSQL is asked for its health by %+v", check)
			}
		})
	}
	dashboards, err := filepath.Glob("../docs/grafana/*.json")
	if err != nil || len(dashboards) < 3 {
		t.Errorf("dashboards that Grafana is given: %v, %v", dashboards, err)
	}
}

// NATS knows what muster cluster credentials makes, before it starts, and each role that uses it has the folder with the keys of its own role, and starts when NATS
// answers. All are asked whether they are ready.
func TestComposeCredentials(t *testing.T) {
	t.Parallel()
	c := compose(t, "cluster.yaml")
	mounted := func(service, at, folder string, readOnly bool) bool { // the keys, and no others of them
		n, ok := 0, false
		for _, v := range c.Services[service].Volumes {
			if v.Source == "keys" {
				n, ok = n+1, v.Target == at && v.ReadOnly == readOnly && v.Volume.Subpath == folder
			}
		}
		return n == 1 && ok
	}
	made := c.Services["credentials"]
	if !mounted("credentials", "/data", "", false) || !slices.Equal(made.Command, []string{"cluster", "credentials", "/data", "--folders"}) || !made.ReadOnly {
		t.Fatalf("credentials are made by %+v", made)
	}
	dir := t.TempDir()
	run(t, "go", "run", "../cmd/muster", "cluster", "credentials", dir, "--folders")
	has := func(folder, file string) {
		t.Helper()
		name, ok := strings.CutPrefix(file, "/keys/")
		if !ok {
			t.Errorf("%q is no file of the volume", file)
			return
		}
		read(t, filepath.Join(dir, folder, name))
	}
	after := func(words []string, flag string) string {
		i := slices.Index(words, flag)
		if i < 0 || i+1 == len(words) {
			return ""
		}
		return words[i+1]
	}
	nats := c.Services["nats"]
	if has("nats", after(nats.Command, "-c")); !mounted("nats", "/keys", "nats", true) || nats.DependsOn["credentials"].Condition != "service_completed_successfully" {
		t.Errorf("NATS is %+v", nats)
	}
	port := after(nats.Command, "-m") // the image has wget, as those of Alpine have, and what is asked is where NATS answers
	if want := []string{"CMD", "wget", "-q", "-O", "/dev/null", "http://127.0.0.1:" + port + "/healthz"}; !slices.Equal(nats.Healthcheck.Test, want) || port == "" || !strings.HasSuffix(nats.Image, "-alpine") {
		t.Errorf("NATS of %s is asked for its health by %q, want %q", nats.Image, nats.Healthcheck.Test, want)
	}
	roles := map[string]string{"gateway-1": "gateway", "gateway-2": "gateway", "worker": "worker", "orchestrator": "orchestrate"}
	for name, role := range roles {
		words := c.Services[name].Command
		file := after(words, "--bus-creds")
		if has(role, file); !mounted(name, "/keys", role, true) || file != "/keys/"+role+"-muster.nk" || words[0] != role {
			t.Errorf("%s is given %q, and %+v", name, words, c.Services[name].Volumes)
		}
		if on := c.Services[name].DependsOn; on["nats"].Condition != "service_healthy" || on["postgres"].Condition != "service_healthy" {
			t.Errorf("%s starts after %v", name, on)
		}
		// Services are stopped in the reverse order: gateways save their players while the workers still have their worlds.
		if on := c.Services[name].DependsOn; role == "gateway" && on["worker"].Condition != "service_started" {
			t.Errorf("%s is stopped before %v", name, on)
		}
	}
	for name, s := range c.Services {
		for _, v := range s.Volumes {
			if v.Source == "keys" && roles[name] == "" && name != "nats" && name != "credentials" {
				t.Errorf("%s has keys", name)
			}
		}
	}
	for name, s := range c.Services {
		if s.Environment["MUSTER_ADMIN"] == "" {
			continue
		}
		if want := []string{"CMD", "/muster", "ready", "--admin", "127.0.0.1:8086"}; !slices.Equal(s.Healthcheck.Test, want) {
			t.Errorf("%s is asked for its health by %q, want %q", name, s.Healthcheck.Test, want)
		}
	}
	scrapes := read(t, "compose/prometheus-cluster.yml")
	for name, s := range c.Services {
		if s.Environment["MUSTER_ADMIN"] != "" && !strings.Contains(scrapes, " "+name+",") && !strings.Contains(scrapes, "["+name+",") && !strings.Contains(scrapes, " "+name+"]") {
			t.Errorf("%s is not scraped", name)
		}
	}
}

// compose is a compose file, as the reference loader reads it.
func compose(t *testing.T, name string) (c composed) {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	said := run(t, "go", append([]string{"tool", "-C", "compose", "-modfile=" + filepath.Join(root, "tools/compose.mod")},
		"cmd", "-no-interpolation", "-format", "json", name)...) // its paths are of the folder that the tool runs in
	if err := json.Unmarshal([]byte(said), &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// mounts checks what services mount and publish, and returns the ports that are open to all.
func (c *composed) mounts(t *testing.T) (open []string) {
	t.Helper()
	for name, s := range c.Services {
		for _, p := range s.Ports {
			if p.HostIP == "" {
				open = append(open, p.Published)
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
	slices.Sort(open)
	return open
}

// settings checks that what a service is given exists under these names.
func settings(t *testing.T, command []string, environment map[string]string) {
	t.Helper()
	sample := read(t, "../muster.conf")
	if command[0] != "serve" && command[0] != "gateway" { // which has flags of serve
		for _, pattern := range []string{"muster/" + command[0] + ".go", "internal/orchestrator/*.go", "internal/worker/*.go", "internal/link/*.go"} {
			files, err := filepath.Glob("../cmd/" + pattern)
			if err != nil || len(files) == 0 {
				t.Fatalf("nothing is %s: %v", pattern, err)
			}
			for _, file := range files {
				sample += read(t, file)
			}
		}
	}
	for variable := range environment {
		key, ours := strings.CutPrefix(variable, "MUSTER_")
		if key = camel(key); ours && !strings.Contains(sample, "\n"+key+" = ") && !strings.Contains(sample, "\n# "+key+" =") {
			t.Errorf("muster.conf has no %s", key)
		}
	}
	for _, word := range command {
		flag, ok := strings.CutPrefix(word, "--")
		if ok && !strings.Contains(sample, "\n# "+camel(flag)+" =") && !strings.Contains(sample, "\n"+camel(flag)+" = ") && !strings.Contains(sample, "\n\t"+camel(flag)+" ") {
			t.Errorf("muster %s has no %s", command[0], flag)
		}
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

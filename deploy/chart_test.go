package deploy

import (
	"errors"
	"net"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

const chart = "helm/muster"

// helm is its command line.
func helm(args ...string) []string { return tool("helm", "helm", args...) }

// everything is values that differ from all defaults.
var everything = []string{"--set", "image.tag=v1", "--set", "realm.address=realm.example:8085", "--set", "settings.RateXp=2",
	"--set", "settings.MaxPlayers=100", "--set", "database.url=postgres://muster@db/muster", "--set", "database.passwordSecret=db",
	"--set", "admin.tokenSecret=token", "--set", "persistence.storageClass=fast", "--set", "service.type=LoadBalancer",
	"--set", "monitoring.serviceMonitor=true", "--set", "monitoring.alerts=true", "--set", "nodeSelector.disk=ssd"}

// cluster is values for a realm of several processes, whose NATS and PostgreSQL do not answer.
var cluster = []string{"--set", "cluster.enabled=true", "--set", "cluster.bus=nats://127.0.0.1:1", "--set", "database.url=postgres://muster@127.0.0.1:1/muster",
	"--set", "cluster.world.Start=one", "--set", "cluster.gateway.replicas=5", "--set", "settings.MaxPlayers=100"}

func TestChart(t *testing.T) {
	t.Parallel()
	run(t, "go", helm("lint", "--strict", chart)...)
	run(t, "go", helm(append([]string{"lint", "--strict", chart}, everything...)...)...)
	for _, c := range []struct {
		name string
		args []string
		want []string // texts of the manifests
		not  []string
	}{
		{"as it is", nil, []string{
			`image: "muster:latest"`, "name: r-muster-admin, key: token", "  token: ", "    Admin = 0.0.0.0:8086\n", "  type: ClusterIP\n",
			"runAsNonRoot: true", "readOnlyRootFilesystem: true", "drop: [ALL]", "automountServiceAccountToken: false",
			"enableServiceLinks: false", "replicas: 1\n",
		}, []string{"Database", "RealmAddress", "monitoring.coreos.com", "PGPASSWORD", "storageClassName"}},
		{"with everything", everything, []string{
			`image: "muster:v1"`, "name: token, key: token", "    RealmAddress = realm.example:8085\n", "    RateXp = 2\n", "    MaxPlayers = 100\n",
			"    Database = postgres://muster@db/muster\n", "name: db, key: password", "storageClassName: fast", "  type: LoadBalancer\n",
			"kind: ServiceMonitor", "honorLabels: true", "kind: PrometheusRule", "disk: ssd",
		}, []string{"kind: Secret"}},
		{"a cluster", append(slices.Clone(cluster), "--set", "cluster.credentials=keys", "--set", "monitoring.alerts=true"), []string{
			"name: r-muster-gateway\n", "name: r-muster-worker\n", "name: r-muster-login\n", "name: r-muster-orchestrator\n", "replicas: 5\n", "replicas: 3\n",
			"hostPort: 8085", `value: "$(NODE_IP):8085"`, "    Bus = nats://127.0.0.1:1\n", "    BusCreds = /keys/worker.nk\n", "key: gateway-muster.nk", "    Start = one\n",
			"args: [gateway, --config, /config/gateway.conf]", "runAsNonRoot: true", "    Wait = 3\n",
			"    Rebalance = logs\n    RebalanceAfter = 30s\n",
		}, []string{"muster.conf"}},
		{"a cluster that moves all worlds", append(slices.Clone(cluster), "--set", "cluster.rebalance.worlds=all", "--set", "cluster.rebalance.after=1m30s"), []string{
			"    Rebalance = all\n    RebalanceAfter = 1m30s\n",
		}, nil},
	} {
		manifests := run(t, "go", helm(append([]string{"template", "r", chart}, c.args...)...)...)
		// All that run muster can write /tmp, which the image has not.
		roots, mounts, volumes := strings.Count(manifests, "readOnlyRootFilesystem: true"), strings.Count(manifests, "{name: tmp, mountPath: /tmp}"), strings.Count(manifests, "{name: tmp, emptyDir: {sizeLimit: ")
		if roots == 0 || mounts != roots || volumes != roots {
			t.Errorf("%s: of %d containers %d have a folder for temporary files, and there are %d of these", c.name, roots, mounts, volumes)
		}
		for _, want := range c.want {
			if !strings.Contains(manifests, want) {
				t.Errorf("%s: the manifests do not have %q", c.name, want)
			}
		}
		for _, not := range c.not {
			if strings.Contains(manifests, not) {
				t.Errorf("%s: the manifests have %q", c.name, not)
			}
		}
		if strings.Contains(manifests, "PrometheusRule") {
			rulesOf(t, manifests)
		}
	}
}

// rulesOf has promtool read the alerts of the manifests.
func rulesOf(t *testing.T, manifests string) {
	t.Helper()
	_, rules, ok := strings.Cut(manifests, "kind: PrometheusRule")
	_, rules, found := strings.Cut(rules, "\nspec:")
	if !ok || !found {
		t.Error("there are no alerts")
	}
	rules, _, _ = strings.Cut(rules, "\n---")
	rules = regexp.MustCompile(`(?m)^  `).ReplaceAllString(rules, "")
	said := run(t, promtool(t), "check", "rules", write(t, filepath.Join(t.TempDir(), "rules.yml"), rules))
	if !strings.Contains(said, "11 rules found") {
		t.Errorf("promtool says\n%s\nof\n%s", said, rules)
	}
}

// imageVariables is the environment that the container image gives each verb.
func imageVariables(t *testing.T) (all []string) {
	t.Helper()
	for _, m := range regexp.MustCompile(`"(MUSTER_[A-Z_]+=[^"]+)"`).FindAllStringSubmatch(read(t, "../internal/ociimage/image.go"), -1) {
		all = append(all, m[1])
	}
	if len(all) == 0 {
		t.Error("the image has no variables")
	}
	return all
}

// refusing is where a PostgreSQL listens that refuses all connections: one that does not answer would be waited for.
//
// Source: PostgreSQL documentation, 55.7, Message Formats, ErrorResponse; appendix A, 28P01: invalid_password.
func refusing(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	const fields = "SFATAL\x00C28P01\x00Mrefused by the test\x00\x00"
	answer := append([]byte{'E', 0, 0, 0, byte(4 + len(fields))}, fields...)
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			if _, err = c.Read(make([]byte, 4096)); err == nil {
				_, err = c.Write(answer)
			}
			if err := errors.Join(err, c.Close()); err != nil {
				t.Error(err)
			}
		}
	})
	t.Cleanup(func() {
		l.Close()
		serving.Wait()
	})
	return l.Addr().String()
}

// Each role reads the settings that the chart and the image give it, and then looks for its database or its bus.
func TestChartCluster(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	binary := filepath.Join(dir, "muster")
	run(t, "go", "build", "-buildvcs=false", "-o", binary, "../cmd/muster")
	refused := append(slices.Clone(cluster), "--set", "database.url=postgres://muster@"+refusing(t)+"/muster?sslmode=disable")
	manifests := run(t, "go", helm(append([]string{"template", "r", chart}, refused...)...)...)
	for role, verb := range map[string]string{"gateway": "gateway", "worker": "worker", "login": "login", "orchestrator": "orchestrate"} {
		_, conf, ok := strings.Cut(manifests, "  "+role+".conf: |\n")
		conf, _, _ = strings.Cut(conf, "\n---")
		file := write(t, filepath.Join(dir, role+".conf"), regexp.MustCompile("(?m)^ +").ReplaceAllString(conf, ""))
		args := []string{verb, "--config", file, "--admin", "127.0.0.1:0"}
		if role == "gateway" {
			args = append(args, "--data", dir)
		}
		_, said, err := try(t, "env", slices.Concat(imageVariables(t), []string{binary}, args)...)
		want := "refused by the test"
		if role == "worker" {
			want = "nats: no servers available"
		}
		if !ok || err == nil || !strings.Contains(said, want) || !strings.Contains(conf, "Database = ") {
			t.Errorf("muster %s of\n%s\n%v\n%s", verb, conf, err, said)
		}
		if !strings.Contains(manifests, "args: ["+verb+", --config, /config/"+role+".conf]") {
			t.Errorf("no pod runs muster %s", verb)
		}
		if strings.Contains(conf, "Bus = nats://127.0.0.1:1\n") == (role == "login") {
			t.Errorf("muster %s is told of NATS with\n%s", verb, conf)
		}
	}
	sums := regexp.MustCompile("checksum/config: .*") // pods are replaced when their settings change
	for _, change := range []string{"realm.name=other", "database.url=postgres://muster@elsewhere/muster", "settings.MaxPlayers=5", "cluster.bus=nats://elsewhere:1"} {
		changed := run(t, "go", helm(append(append([]string{"template", "r", chart}, refused...), "--set", change)...)...)
		if sum := sums.FindString(manifests); sum == "" || strings.Contains(changed, sum) {
			t.Errorf("%s replaces no pod: %s", change, sum)
		}
	}
	for missing, want := range map[string]string{"cluster.bus=": "the address of NATS", "database.url=": "PostgreSQL"} {
		_, said, err := try(t, "go", helm(append(append([]string{"template", "r", chart}, cluster...), "--set", missing)...)...)
		if err == nil || !strings.Contains(said, want) {
			t.Errorf("%s: %v\n%s", missing, err, said)
		}
	}
}

// With cluster.scale.enabled orchestrators, and no other pods, may set how many workers there are, and nothing else.
func TestChartScale(t *testing.T) {
	t.Parallel()
	args := append([]string{"template", "r", chart, "--namespace", "games"}, cluster...)
	plain := run(t, "go", helm(args...)...)
	for _, no := range []string{"kind: Role", "kind: ServiceAccount", "serviceAccountToken", "ScaleKubernetes", "serviceAccountName"} {
		if strings.Contains(plain, no) {
			t.Errorf("%s without cluster.scale.enabled", no)
		}
	}
	scaled := run(t, "go", helm(append(args, "--set", "cluster.scale.enabled=true", "--set", "cluster.scale.spares=2")...)...)
	for want, times := range map[string]int{
		"    ScaleKubernetes = games/deployments/r-muster-worker\n    Spares = 2\n":                                             1,
		"  - apiGroups: [apps]\n    resources: [deployments/scale]\n    resourceNames: [r-muster-worker]\n    verbs: [patch]\n": 1,
		"  - {kind: ServiceAccount, name: r-muster-orchestrator}\n":                                                             1,
		"      serviceAccountName: r-muster-orchestrator\n":                                                                     1,
		"mountPath: /var/run/secrets/kubernetes.io/serviceaccount, readOnly: true":                                              1,
		"              - serviceAccountToken: {path: token}\n":                                                                  1,
		"verbs: ": 1,
	} {
		if n := strings.Count(scaled, want); n != times {
			t.Errorf("%q is there %d times, want %d", want, n, times)
		}
	}
}

// Each role that uses NATS has the file that muster cluster credentials makes for it, of a realm of any name.
func TestChartCredentials(t *testing.T) {
	t.Parallel()
	const realm = "Über_all 2"
	dir := t.TempDir()
	run(t, "go", "run", "../cmd/muster", "cluster", "credentials", dir, "--realm-name", realm)
	manifests := run(t, "go", helm(append([]string{"template", "r", chart, "--set", "cluster.credentials=keys", "--set", "realm.name=" + realm}, cluster...)...)...)
	given := make(map[string]string) // by the name of the file in the pod
	for _, item := range regexp.MustCompile(`items: \[\{key: (\S+), path: (\S+)\}\]`).FindAllStringSubmatch(manifests, -1) {
		given[item[2]] = item[1]
	}
	for file, key := range map[string]string{
		"gateway.nk": "gateway-_c3_9cber_5fall_202.nk", "worker.nk": "worker-_c3_9cber_5fall_202.nk", "orchestrator.nk": "orchestrate-_c3_9cber_5fall_202.nk",
	} {
		read(t, filepath.Join(dir, key))
		if given[file] != key || !strings.Contains(manifests, "    BusCreds = /keys/"+file+"\n") {
			t.Errorf("%s is %q of the credentials", file, given[file])
		}
	}
	if len(given) != 3 || strings.Count(manifests, "mountPath: /keys, readOnly: true") != 3 {
		t.Errorf("the pods are given %v", given)
	}
}

// Values that the server would refuse are refused before.
func TestChartValues(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		"realm.address=realm.example":   "realm/address",
		"database.url=mysql://x":        "database/url",
		"image.pullPolicy=Sometimes":    "image/pullPolicy",
		"replicas=2":                    "replicas",
		"service.type=ExternalName":     "service/type",
		"cluster.bus=http://nats":       "cluster/bus",
		"cluster.worker.replicas=-1":    "cluster/worker/replicas",
		"cluster.rebalance.worlds=some": "cluster/rebalance/worlds",
		"cluster.rebalance.after=30":    "cluster/rebalance/after",
	} {
		_, said, err := try(t, "go", helm("template", "r", chart, "--set", value)...)
		if err == nil || !strings.Contains(strings.ReplaceAll(said, ".", "/"), want) {
			t.Errorf("%s: %v\n%s", value, err, said)
		}
	}
}

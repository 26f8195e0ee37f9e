package deploy

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const alerts = "helm/muster/files/alerts.yml"

// promtool is that of the machine, or what the Makefile has taken out of a package.
func promtool(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"promtool", "../bin/promtool"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatal("no promtool, which make test puts into bin: make promtool")
	return ""
}

// Every alert fires when it should, and not before.
func TestAlerts(t *testing.T) {
	t.Parallel()
	run(t, promtool(t), "test", "rules", "prometheus/alerts_test.yml")
	tests := read(t, "prometheus/alerts_test.yml")
	all := regexp.MustCompile(`alert: (\w+)`).FindAllStringSubmatch(read(t, alerts), -1)
	if len(all) < 11 {
		t.Errorf("%d alerts", len(all))
	}
	for _, alert := range all {
		if !regexp.MustCompile(`alertname: ` + alert[1] + `\n +exp_alerts:`).MatchString(tests) {
			t.Errorf("%s fires in no test", alert[1])
		}
	}
}

// Alerts and their tests are of metrics that there are.
func TestAlertsAreOfMetrics(t *testing.T) {
	t.Parallel()
	documented := read(t, "../docs/METRICS.md")
	names := regexp.MustCompile(`\bmuster_[a-z_]+`).FindAllString(read(t, alerts)+read(t, "prometheus/alerts_test.yml"), -1)
	if len(names) < 10 {
		t.Errorf("%d names of metrics", len(names))
	}
	for _, name := range names {
		histogram, ok := strings.CutSuffix(name, "_count")
		if ok && strings.Contains(documented, "| `"+histogram+"` | histogram |") {
			continue
		}
		if !strings.Contains(documented, "| `"+name+"` |") {
			t.Errorf("docs/METRICS.md has no %s", name)
		}
	}
}

// The configurations of the compose files' Prometheus are such, with the alerts and of the job that they are of.
func TestPrometheus(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"prometheus.yml", "prometheus-cluster.yml"} {
		dir := t.TempDir()
		token := write(t, filepath.Join(dir, "token"), "a token")
		config := strings.ReplaceAll(read(t, "compose/"+name), "/run/secrets/admin-token", token)
		write(t, filepath.Join(dir, "alerts.yml"), read(t, alerts))
		said := run(t, promtool(t), "check", "config", write(t, filepath.Join(dir, name), config))
		if !strings.Contains(said, "11 rules found") {
			t.Errorf("%s: promtool says\n%s", name, said)
		}
		if !strings.Contains(config, "\n    honor_labels: true ") {
			t.Errorf("%s: the instances of worlds are not kept", name)
		}
		if !strings.Contains(config, "job_name: muster ") || !strings.Contains(read(t, alerts), `job="muster"`) {
			t.Errorf("%s: the job has another name than the alerts have", name)
		}
	}
}

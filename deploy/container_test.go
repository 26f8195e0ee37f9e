package deploy

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// patience ends a test that would wait for ever.
const patience = 5 * time.Minute

// A container is what an engine makes of an image. As root it is in the image's root and its user; another user cannot do
// that, and runs the binary where it is unpacked.
type container struct {
	root      string
	config    imageConfig
	contained bool
}

// command runs the image's program, on any ports: those of the image may be taken.
func (c *container) command(t *testing.T, variables []string, args ...string) *exec.Cmd {
	args = append(slices.Clone(c.config.Config.Entrypoint), args...)
	cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
	cmd.Env = append(slices.Clone(c.config.Config.Env), "MUSTER_AUTH=127.0.0.1:0", "MUSTER_WORLD=127.0.0.1:0", "MUSTER_ADMIN=127.0.0.1:0")
	cmd.Env = append(cmd.Env, variables...)
	if c.contained {
		cmd.Dir = c.config.Config.WorkingDir
		cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: c.root, Credential: &syscall.Credential{Uid: 65532, Gid: 65532}}
	} else {
		cmd.Path, cmd.Dir = filepath.Join(c.root, args[0]), filepath.Join(c.root, c.config.Config.WorkingDir)
		cmd.Env = append(cmd.Env, "XDG_DATA_HOME="+cmd.Dir)
	}
	return cmd
}

// start runs the program until it is ready, calls during with what it says then, and stops it as an engine does.
func (c *container) start(t *testing.T, variables, args []string, during func(ready string)) {
	t.Helper()
	if err := os.Chmod(filepath.Dir(c.root), 0o755); err != nil { // the image's user has to get there
		t.Fatal(err)
	}
	server := c.command(t, variables, args...)
	stderr, err := server.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err = server.Start(); c.contained && errors.Is(err, fs.ErrPermission) { // a root that may not do that
		c.contained = false
		c.start(t, variables, args, during)
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(patience, func() { server.Process.Kill() })
	defer timer.Stop()
	var said strings.Builder
	ready := false
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		said.WriteString(lines.Text() + "\n")
		if !ready && strings.Contains(lines.Text(), "msg=ready") {
			ready = true
			during(lines.Text())
			server.Process.Signal(syscall.SIGTERM)
		}
	}
	if err := server.Wait(); err != nil || !ready {
		t.Errorf("ready: %t, %v\n%s", ready, err, &said)
	}
}

// serves starts what the image starts, and asks it as a health check does.
func (c *container) serves(t *testing.T) {
	c.start(t, nil, c.config.Config.Cmd, func(string) {
		out, err := c.command(t, nil, "ctl", "server", "info").CombinedOutput()
		if err != nil || !strings.Contains(string(out), "Connected players: 0") {
			t.Errorf("ctl server info: %v\n%s", err, out)
		}
	})
	if _, err := os.Stat(filepath.Join(c.root, "data/muster/muster.db")); err != nil {
		t.Errorf("accounts and characters are not in the volume: %v", err)
	}
	if c.config.Config.StopSignal != "SIGTERM" {
		t.Errorf("it is stopped by %s", c.config.Config.StopSignal)
	}
}

// servesConfigured starts it as a pod of the chart does: with the chart's settings, and operators on all addresses, whose
// probes name the pod.
func (c *container) servesConfigured(t *testing.T) {
	manifests := run(t, "go", helm("template", "r", chart, "--set", "settings.RateXp=2", "--set", "realm.name=A realm")...)
	_, settings, _ := strings.Cut(manifests, "  muster.conf: |\n")
	settings, _, _ = strings.Cut(settings, "\n---")
	write(t, filepath.Join(c.root, "config/muster.conf"), regexp.MustCompile("(?m)^ +").ReplaceAllString(settings, ""))
	const token = "a token of 24 characters"
	args := []string{"serve", "--config", filepath.Join("/", "config/muster.conf")}
	if !c.contained {
		args[2] = filepath.Join(c.root, args[2])
	}
	c.start(t, []string{"MUSTER_ADMIN=0.0.0.0:0", "MUSTER_ADMIN_TOKEN=" + token}, args, func(ready string) {
		address := regexp.MustCompile(`admin=(?:0\.0\.0\.0|\[::\]):([0-9]+)`).FindStringSubmatch(ready)
		if address == nil {
			t.Errorf("it is %s", ready)
			return
		}
		for _, probe := range []struct {
			path, token string
			status      int
			text        string
		}{
			{"/livez", "", 200, "ok"}, {"/readyz", "", 200, `"ready":true`}, {"/metrics", "", 401, ""},
			{"/metrics", token, 200, `muster_sessions{realm="A realm",role="serve",state="world"} 0`},
		} {
			r, err := http.NewRequestWithContext(t.Context(), "GET", "http://127.0.0.1:"+address[1]+probe.path, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Host, r.Close = "10.0.0.7:8086", true
			if probe.token != "" {
				r.Header.Set("Authorization", "Bearer "+probe.token)
			}
			answer, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Error(err)
				continue
			}
			body, _ := io.ReadAll(answer.Body)
			answer.Body.Close()
			if answer.StatusCode != probe.status || !strings.Contains(string(body), probe.text) {
				t.Errorf("%s answers %d %.500s", probe.path, answer.StatusCode, body)
			}
		}
	})
}

package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// readState reads a ready file as a program does that knows its documentation alone.
func readState(t *testing.T, name string) (state map[string]any) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &state); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return state
}

// TestReadyFile has two servers at once, each with a ready file, that share nothing.
func TestReadyFile(t *testing.T) {
	const secret = "correct horse battery"
	folder := t.TempDir()
	names := []string{filepath.Join(folder, "a.json"), filepath.Join(folder, "b.json")}
	token := filepath.Join(folder, "token")
	if err := os.WriteFile(token, []byte(secret+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	servers := []*served{
		serve(t, "--creatures", "0", "--ephemeral", "--ready-file", names[0], "--admin-token", secret),
		serve(t, "--creatures", "0", "--ephemeral", "--ready-file", names[1], "--admin-token-file", token, "--clock", "virtual"),
	}
	sockets := make(map[any]bool)
	for i, s := range servers {
		eventually(t, "the file is there", func() bool { _, err := os.Stat(names[i]); return err == nil })
		state := readState(t, names[i])
		if info, err := os.Stat(names[i]); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("the file has mode %v, %v: it may have a token", info.Mode(), err)
		}
		port := func(address string) float64 {
			_, text, _ := strings.Cut(address, ":")
			var n float64
			if err := json.Unmarshal([]byte(text), &n); err != nil {
				t.Fatal(err)
			}
			return n
		}
		ports, _ := state["ports"].(map[string]any)
		for name, want := range map[string]string{"auth": s.auth, "world": s.world, "admin": s.admin} {
			if state[name] != want || ports[name] != port(want) {
				t.Errorf("%s is at %v, port %v; it listens at %s", name, state[name], ports[name], want)
			}
		}
		if state["pid"] != float64(s.cmd.Process.Pid) || state["ephemeral"] != true || state["version"] == "" || state["realm"] != "muster" {
			t.Errorf("it says %v", state)
		}
		if want := [...]string{"real", "virtual"}[i]; state["clock"] != want {
			t.Errorf("its clock is %v, want %s", state["clock"], want)
		}
		if code, out, stderr := execute(t, nil, "ctl", "--socket", state["socket"].(string), "server", "info"); code != exitOK || out == "" {
			t.Errorf("ctl at the socket: exit code %d\n%s", code, stderr)
		}
		sockets[state["socket"]] = true
		given, _ := state["admin_token"].(string)
		if file, ok := state["admin_token_file"].(string); ok {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			given = strings.TrimSpace(string(text))
		}
		if status, _ := s.ask("/stats", given); status != http.StatusOK {
			t.Errorf("with the token of the file the admin address answers %d", status)
		}
	}
	if len(sockets) != 2 {
		t.Errorf("both listen at %v", sockets)
	}

	code, _, stderr := execute(t, nil, "serve", "--creatures", "0", "--ephemeral", "--ready-file", names[0],
		"--auth", "127.0.0.1:0", "--world", "127.0.0.1:0", "--admin", "127.0.0.1:0")
	if code != exitFailure || !strings.Contains(stderr, "a.json is that of another server") {
		t.Errorf("a third server with the file of the first: exit code %d\n%s", code, stderr)
	}
	if state := readState(t, names[0]); state["admin"] != servers[0].admin {
		t.Errorf("it replaced the file by %v", state)
	}
	servers[0].stop(syscall.SIGTERM, 1)
	if _, err := os.Stat(names[0]); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it ended, and its file is there: %v", err)
	}

	// One that was killed leaves its file behind, which is in the way of none.
	servers[1].cmd.Process.Kill()
	for range servers[1].ended {
	}
	if state := readState(t, names[1]); state["admin"] != servers[1].admin {
		t.Errorf("a killed server left %v", state)
	}
	s := serve(t, "--creatures", "0", "--ephemeral", "--ready-file", names[1])
	eventually(t, "the file is that of the next", func() bool {
		text, err := os.ReadFile(names[1])
		return err == nil && strings.Contains(string(text), s.admin)
	})
	s.stop(syscall.SIGTERM, 1)
	if left, _ := filepath.Glob(filepath.Join(folder, "*.part*")); len(left) > 0 {
		t.Errorf("it left %q", left)
	}
}

// A ready file that cannot be made ends the server: what waits for it would wait for ever.
func TestReadyFileThatCannotBe(t *testing.T) {
	folder := t.TempDir()
	foreign := filepath.Join(folder, "foreign")
	if err := os.WriteFile(foreign, []byte("a letter"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		foreign:                                "no server wrote it",
		filepath.Join(folder, "none", "ready"): "no such file or directory",
	} {
		code, _, stderr := execute(t, nil, "serve", "--creatures", "0", "--ephemeral", "--ready-file", name,
			"--auth", "127.0.0.1:0", "--world", "127.0.0.1:0", "--admin", "127.0.0.1:0")
		if code != exitFailure || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit code %d\n%s", name, code, stderr)
		}
	}
	if text, err := os.ReadFile(foreign); err != nil || string(text) != "a letter" {
		t.Errorf("the file of another program is %q, %v", text, err)
	}
}

// Two servers on one folder: the second says so, and harms nothing.
func TestTwoServersOnOneFolder(t *testing.T) {
	folder := t.TempDir()
	s := serve(t, "--creatures", "0", "--data", folder)
	second := exec.CommandContext(t.Context(), binary, "serve", "--creatures", "0", "--data", folder,
		"--auth", "127.0.0.1:0", "--world", "127.0.0.1:0", "--admin", "127.0.0.1:0")
	text, err := second.CombinedOutput()
	if exit := new(exec.ExitError); !errors.As(err, &exit) || exit.ExitCode() != exitFailure || !strings.Contains(string(text), folder) {
		t.Errorf("the second ended with %v:\n%s", err, text)
	}
	if code, _, stderr := execute(t, nil, "ctl", "--data", folder, "server", "info"); code != exitOK {
		t.Errorf("the first does not answer any more: %s", stderr)
	}
	s.stop(syscall.SIGTERM, 1)
}

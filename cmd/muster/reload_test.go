package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"muster/cmd/internal/worldspec"
	"muster/components/defs"
	"muster/net/protocol/msg"
)

// The flags of settings that can change exist.
func TestChangeableAreFlags(t *testing.T) {
	v, err := parse(t, []string{"serve"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	known := make(map[string]bool)
	for _, f := range v.Serve.again.flags() {
		known[f.Name] = true
	}
	for _, name := range changeable {
		if !known[name] {
			t.Errorf("there is no --%s", name)
		}
	}
}

// What is read again takes the place of what can change, and of nothing if any of it is wrong.
func TestReread(t *testing.T) {
	file := write(t, "Seed = 2\nRateXp = 3\n")
	v, err := parse(t, []string{"serve", "--config", file, "--max-queue", "7"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := &v.Serve
	state := func() string {
		password, err := s.OpenPassword()
		return line(s.Seed, s.RateXP, s.MaxQueue, s.LogLevel, password, err, s.OpenLevel, s.AllowTwoSide.WhoList, s.Silence.SocketTimeOutTimeActive)
	}
	const first = "2 3 7 info muster <nil> 0 false 1m0s"
	for _, step := range []struct{ text, changed, kept, err, state string }{
		{"Seed = 2\nRateXp = 3\n", "", "", "", first},
		{"Seed = 2\nRateXp = 0\nLogLevel = debug\n", "", "", "--rate-xp is above 0 and at most 1000, not 0", first},
		{"Seed = 2\nLogLevel = loud\nRateXp = 5\n", "", "", "loud", first},
		{"Seed = 2\nRateXp = 5\nTock = 1\n", "", "", ":3: Tock: no such setting", first},
		{"Seed = 2\nRateXp\n", "", "", ":2:", first},
		{"Seed = 2\nRateXp = 3\nAuth = 192.0.2.1:1\nOpenAccounts = x\n", "", "", "needs --open-accounts-anywhere", first},
		{"Seed = 9\nRateXp = 5\nMaxQueue = 9\nWorld = 127.0.0.1:1\n", "RateXp", "World Seed", "", "2 5 7 info muster <nil> 0 false 1m0s"},
		{"Seed = 2\nLogLevel = debug\nOpenAccounts = other\nOpenLevel = 2\nAllowTwoSide.WhoList = 1\nSocketTimeOutTimeActive = 90000\n",
			"OpenAccounts OpenLevel RateXp SocketTimeOutTimeActive AllowTwoSide.WhoList LogLevel", "",
			"", "2 1 7 debug other <nil> 2 true 1m30s"},
	} {
		if err := os.WriteFile(file, []byte(step.text), 0o600); err != nil {
			t.Fatal(err)
		}
		changed, kept, err := s.reread()
		if got := strings.Join(changed, " "); got != step.changed {
			t.Errorf("%q: changed %s, want %s", step.text, got, step.changed)
		}
		if got := strings.Join(kept, " "); got != step.kept {
			t.Errorf("%q: kept %s, want %s", step.text, got, step.kept)
		}
		if (err != nil) != (step.err != "") || err != nil && !strings.Contains(err.Error(), step.err) {
			t.Errorf("%q: error %v, want %q", step.text, err, step.err)
		}
		if got := state(); got != step.state {
			t.Errorf("%q leads to %s, want %s", step.text, got, step.state)
		}
	}
}

// What is read is checked together with what stays: here an address that others reach, until a restart.
func TestRereadBesideWhatStays(t *testing.T) {
	file := write(t, "Auth = 192.0.2.1:1\nOpenAccounts = x\nOpenAccountsAnywhere = 1\nRateXp = 3\n")
	v, err := parse(t, []string{"serve", "--config", file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("OpenAccounts = x\nRateXp = 5\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	changed, kept, err := v.Serve.reread()
	if err == nil || !strings.Contains(err.Error(), "needs --open-accounts-anywhere") || changed != nil || kept != nil {
		t.Errorf("changed %q, kept %q, %v", changed, kept, err)
	}
	if s := &v.Serve; s.RateXP != 3 || !s.OpenAccountsAnywhere {
		t.Errorf("the rate is %v, and open accounts are anywhere: %v", s.RateXP, s.OpenAccountsAnywhere)
	}
}

// A running server reads its settings again for game masters, for operators and at SIGHUP. What its worlds read then is in
// their recordings.
func TestReload(t *testing.T) {
	folder := t.TempDir()
	file, recordings := filepath.Join(folder, "muster.conf"), filepath.Join(folder, "recordings")
	settings := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte("Creatures = 0\n"+text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	settings("")
	s := serve(t, "--config", file, "--open-level", "3", "--record", recordings)
	v := visit(t, s, "RELOADER")
	v.create("Reloader")
	at := v.enter()
	d, err := worldspec.NewDefs(1, 0, "spread")
	if err != nil {
		t.Fatal(err)
	}
	boar := d.Creatures[slices.IndexFunc(d.Creatures, func(c defs.Creature) bool { return strings.HasSuffix(c.Name, " grey boar") })]
	kills := func(want uint32) {
		t.Helper()
		p := at.Position
		code, stdout, stderr := execute(t, nil, "ctl", "--socket", s.socket, "npc", "put", fmt.Sprint(boar.Entry), fmt.Sprint(at.Map),
			fmt.Sprint(p.X), fmt.Sprint(p.Y), fmt.Sprint(p.Z))
		guid, err := strconv.ParseUint(strings.TrimSpace(stdout), 0, 64)
		if code != exitOK || err != nil {
			t.Fatalf("npc put: exit code %d, %q, %q", code, stdout, stderr)
		}
		v.say(msg.OpSetSelection, &msg.SetSelection{GUID: guid})
		v.orders(msg.ChatSay, ".damage 1000")
		var gain msg.XPGain
		if v.await(msg.OpXPGain, &gain); gain.Victim != guid || gain.Total != want {
			t.Errorf("the death of %#x gives %d, want %#x and %d", gain.Victim, gain.Total, guid, want)
		}
	}
	reloads := func(wantCode int, want string) {
		t.Helper()
		code, stdout, stderr := execute(t, nil, "ctl", "--socket", s.socket, "reload", "config")
		if got := stdout + stderr; code != wantCode || got != want {
			t.Errorf("exit code %d, %q, want %d, %q", code, got, wantCode, want)
		}
	}
	hangsUp := func(want string) {
		t.Helper()
		if err := s.cmd.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
		eventually(t, want, func() bool { return strings.Contains(s.stderr(), want) })
	}

	kills(60) // of level 5, by a player of level 1. Source: Acore::XP::BaseGain, AzerothCore.
	settings("RateXp = 4\nSeed = 9\n")
	v.orders(msg.ChatSay, ".reload config")
	v.hears("These count from now on: RateXp.")
	v.hears("These need a restart: Seed.")
	kills(240)
	settings("RateXp = 2\nTock = 1\n")
	reloads(exitFailure, "config: "+file+":3: Tock: no such setting\n")
	hangsUp(`msg="settings are not read again" err="config: ` + file + `:3: Tock: no such setting"`)
	settings("RateXp = 4\n")
	reloads(exitOK, "No setting has changed that can.\n")
	settings("LogLevel = debug\n")
	hangsUp(`msg="settings are read again" changed=RateXp,LogLevel need_restart=""`)
	kills(60)

	s.stop(syscall.SIGTERM, 1)
	if r := replays(t, nil, recordings); r.ends != "closed" {
		t.Errorf("replayed %+v", r)
	}
}

// A signal to read the settings again that comes while the server starts does not end it.
func TestReloadWhileItStarts(t *testing.T) {
	cmd := exec.Command(binary, "serve", "--ephemeral", "--auth", "127.0.0.1:0", "--world", "127.0.0.1:0", "--admin", "127.0.0.1:0")
	log, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	ready, reread := false, false
	for lines := bufio.NewScanner(log); !(ready && reread) && lines.Scan(); {
		line := lines.Text()
		ready, reread = ready || strings.Contains(line, "msg=ready"), reread || strings.Contains(line, "settings are read again")
		if strings.Contains(line, "msg=starting") {
			cmd.Process.Signal(syscall.SIGHUP)
		}
	}
	if !ready || !reread {
		t.Errorf("after a signal while it starts it is ready: %v, and has read the settings again: %v", ready, reread)
	}
}

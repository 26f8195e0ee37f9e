package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"muster/internal/pgtest"
	"muster/loaders/store"
	"muster/net/login"
	"muster/net/protocol/crypt"
)

// knock logs in from an address of this host, and returns how that ended and the salt that was sent.
func knock(t *testing.T, s *served, from, name, pass string) (login.Result, [32]byte) {
	t.Helper()
	v := &visitor{t: t, name: name}
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	var err error
	v.socket, err = dialer.Dial("tcp", s.auth)
	v.check(err)
	defer v.socket.Close()
	v.check(v.socket.SetDeadline(time.Now().Add(patience)))
	v.write(login.AppendChallenge(nil, name))
	challenge := reply(v, login.ParseChallengeReply)
	if challenge.Result != login.Success {
		return challenge.Result, challenge.Salt
	}
	client, err := crypt.NewClient(rand.Reader, name, pass)
	v.check(err)
	A, M1, _, _, err := client.Answer(challenge.Public, challenge.Salt)
	v.check(err)
	v.write(login.AppendProof(nil, A, M1))
	return reply(v, login.ParseProofReply).Result, challenge.Salt
}

// do runs a verb on what is kept, and wants an exit code and a text in what it says.
func (k *keep) do(code int, want string, args ...string) string {
	k.t.Helper()
	got, stdout, stderr := execute(k.t, nil, slices.Concat(args[:2], k.flags, args[2:])...)
	if got != code || !strings.Contains(stdout+stderr, want) {
		k.t.Errorf("%s: exit code %d, want %d, and %q in\n%s%s", strings.Join(args, " "), got, code, want, stdout, stderr)
	}
	return stdout
}

// TestAccountsBesideAServer runs every verb for accounts while a server is running, and sees what becomes of logins.
func TestAccountsBesideAServer(t *testing.T) {
	waits(t)
	for kind, k := range keeps(t, pgtest.New(t)) {
		t.Run(kind, func(t *testing.T) {
			k.t = t
			s := serve(t, append(k.flags, "--creatures", "0", "--open-accounts", "", "--limit-loopback")...)
			const here, there = "127.0.0.1", "127.0.0.9"
			logsIn := func(from, name, pass string, want login.Result) {
				t.Helper()
				if got, _ := knock(t, s, from, name, pass); got != want {
					t.Errorf("%s with %s from %s: %#x, want %#x", name, pass, from, got, want)
				}
			}
			logsIn(here, "ANNA", "secret", login.UnknownAccount)
			k.do(exitOK, "account 1, ANNA, is made", "account", "create", "Anna", "secret")
			k.do(exitFailure, "there is one of that name", "account", "create", "ANNA", "other")
			logsIn(here, "ANNA", "secret", login.Success)

			k.do(exitOK, "Anna is banned until", "account", "ban", "Anna", "4d20h3s", "too", "loud")
			logsIn(here, "ANNA", "secret", login.Suspended)
			k.do(exitOK, "too loud", "account", "list")
			k.do(exitOK, "Anna is banned for ever", "account", "ban", "Anna", "--", "-1", "still")
			logsIn(here, "ANNA", "secret", login.Banned)
			k.do(exitOK, "Anna is not banned", "account", "unban", "Anna")
			logsIn(here, "ANNA", "secret", login.Success)

			for i := range 10 {
				logsIn(fmt.Sprint("127.0.1.", 1+i%5), "ANNA", "wrong", login.UnknownAccount)
			}
			logsIn(here, "ANNA", "secret", login.Suspended)
			if !strings.Contains(s.stderr(), `msg="account: too many wrong passwords in a row" name=ANNA`) {
				t.Error("the lockout is not logged")
			}
			k.do(exitOK, "10 wrong passwords in a row", "account", "list")
			k.do(exitOK, "", "account", "unban", "anna")
			logsIn(here, "ANNA", "secret", login.Success)

			k.do(exitOK, "is locked to 127.0.0.9", "account", "lock", "Anna", there)
			logsIn(here, "ANNA", "secret", login.Locked)
			logsIn(there, "ANNA", "secret", login.Success)
			k.do(exitOK, "from everywhere", "account", "lock", "Anna", "--off")
			logsIn(here, "ANNA", "secret", login.Success)

			k.do(exitOK, "another", "account", "password", "Anna", `';--"`)
			logsIn(here, "ANNA", "secret", login.UnknownAccount)
			logsIn(here, "ANNA", `';--"`, login.Success)
			k.do(exitOK, "level 2", "account", "level", "Anna", "2")
			var l listed
			if err := json.Unmarshal([]byte(k.do(exitOK, "", "account", "list", "--json")), &l); err != nil {
				t.Error(err)
			}
			if want := (listed{ID: 1, Name: "ANNA", Level: 2, Expansion: 2, LastAddress: here}); l != want {
				t.Errorf("listed %+v, want %+v", l, want)
			}
			k.do(exitOK, "nothing is wrong", "store", "check")
			k.do(exitOK, "is deleted", "account", "delete", "Anna")
			logsIn(here, "ANNA", `';--"`, login.UnknownAccount)
			k.do(exitFailure, "there is no such account", "account", "delete", "Anna")

			_, salt := knock(t, s, "127.0.0.7", "NOBODY", "x")
			s.stop(syscall.SIGTERM, 1)
			s = serve(t, append(k.flags, "--creatures", "0", "--open-accounts", "")...)
			if _, again := knock(t, s, "127.0.0.7", "NOBODY", "x"); again != salt {
				t.Error("the salt of an account that does not exist is another after a restart")
			}
		})
	}
}

// TestAddressesAreHeldToIt guesses at many accounts from one address.
func TestAddressesAreHeldToIt(t *testing.T) {
	s := serve(t, "--creatures", "0", "--ephemeral", "--limit-loopback", "--wrong-pass.max-count", "3", "--wrong-pass.ban-time", "3600")
	for i := range 3 {
		if got, _ := knock(t, s, "127.0.0.5", fmt.Sprint("NAME", i), "wrong"); got != login.UnknownAccount {
			t.Errorf("guess %d: %#x", i, got)
		}
	}
	for from, want := range map[string]login.Result{"127.0.0.5": login.Suspended, "127.0.0.6": login.Success} {
		if got, _ := knock(t, s, from, "OTHER", defaultPassword); got != want {
			t.Errorf("from %s: %#x, want %#x", from, got, want)
		}
	}
}

// TestDumpAndLoad takes characters from SQLite, with the server running, to PostgreSQL and back.
func TestDumpAndLoad(t *testing.T) {
	all := keeps(t, pgtest.New(t))
	lite, post := all["sqlite"], all["postgres"]
	lite.t, post.t = t, t
	s := lite.serve()
	for _, name := range []string{"ANNA", "BEA"} {
		v := visit(t, s, name)
		v.create(strings.ToLower(name))
		v.enter()
		v.socket.Close()
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "beside")
	lite.do(exitOK, "", "store", "dump", file)
	s.stop(syscall.SIGTERM, 1)
	lite.do(exitOK, "nothing is wrong", "store", "check")
	first := lite.do(exitOK, `{"muster":"store","version":1}`, "store", "dump", "-")
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the dump is %v, %v", info, err)
	}
	if beside, err := os.ReadFile(file); err != nil || !bytes.Contains(beside, []byte(`"Name":"Anna"`)) || !bytes.Contains(beside, []byte(`"end":`)) {
		t.Errorf("beside the server it was\n%s%v", beside, err)
	}
	file = filepath.Join(dir, "after")
	if err := os.WriteFile(file, []byte(first), 0o600); err != nil {
		t.Fatal(err)
	}
	post.do(exitOK, "2 accounts and 2 characters are loaded", "store", "load", file)
	post.do(exitFailure, "not empty", "store", "load", file)
	post.do(exitOK, "nothing is wrong", "store", "check")
	if second := post.do(exitOK, "", "store", "dump", "-"); second != first {
		t.Errorf("from SQLite\n%s\nfrom PostgreSQL\n%s", first, second)
	}
	back := &keep{t: t, flags: []string{"--data", filepath.Join(dir, "back")}}
	load := exec.Command(binary, append([]string{"store", "load", "-"}, back.flags...)...)
	load.Stdin = strings.NewReader(first)
	if out, err := load.CombinedOutput(); err != nil {
		t.Errorf("%s%v", out, err)
	}
	if third := back.do(exitOK, "", "store", "dump", "-"); third != first {
		t.Errorf("back in SQLite\n%s", third)
	}
	lines := strings.SplitAfter(first, "\n")
	if err := os.WriteFile(file, []byte(strings.Join(lines[:len(lines)-2], "")), 0o600); err != nil { // but for its end
		t.Fatal(err)
	}
	cut := &keep{t: t, flags: []string{"--data", filepath.Join(dir, "cut")}}
	cut.do(exitFailure, "was cut", "store", "load", file)
	cut.do(exitOK, "", "account", "list")
}

// TestCheckFinds has a character that nothing made.
func TestCheckFinds(t *testing.T) {
	k := keeps(t, pgtest.New(t))["sqlite"]
	k.t = t
	s, err := k.open()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.CreateAccount(t.Context(), store.Account{Name: "A", Level: 9}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if said := k.do(exitFailure, "1 problems", "store", "check"); !strings.Contains(said, "account 1, character 0: level 9 and expansion 0\n") {
		t.Errorf("it said %q", said)
	}
}

// TestPasswordFromInput has passwords that are no arguments.
func TestPasswordFromInput(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		name, input string
		code        int
	}{
		{"UNIX", "secret\n", exitOK}, {"DOS", "secret\r\n", exitOK}, {"BARE", "secret", exitOK},
		{"NOTHING", "", exitFailure}, {"EMPTY", "\n", exitFailure}, {"LONG", strings.Repeat("a", 17), exitFailure},
		{"HUGE", strings.Repeat("a", 1<<20), exitFailure},
	} {
		create := exec.Command(binary, "account", "create", c.name, "--data", dir)
		create.Stdin = strings.NewReader(c.input)
		out, _ := create.CombinedOutput()
		if got := create.ProcessState.ExitCode(); got != c.code {
			t.Errorf("%s: exit code %d\n%s", c.name, got, out)
		}
	}
	s := serve(t, "--data", dir, "--creatures", "0", "--open-accounts", "")
	for _, name := range []string{"UNIX", "DOS", "BARE"} {
		if got, _ := knock(t, s, "127.0.0.1", name, "secret"); got != login.Success {
			t.Errorf("%s: %#x", name, got)
		}
	}
}

func TestRefusedVerbs(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "none")
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"account", "create", "a b", "x"}, exitUsage, "and no spaces"},
		{[]string{"account", "create", "é", "x"}, exitUsage, "and no spaces"},
		{[]string{"account", "create", "0123456789abcdefg", "x"}, exitUsage, "1 to 16"},
		{[]string{"account", "create", "a", ""}, exitUsage, "a password has"},
		{[]string{"account", "create", "a", "x", "--level", "4"}, exitUsage, "a level is"},
		{[]string{"account", "create", "a", "x", "--expansion", "3"}, exitUsage, "an expansion is"},
		{[]string{"account", "level", "a", "4"}, exitUsage, "a level is"},
		{[]string{"account", "ban", "a", "tomorrow", "why"}, exitUsage, "a time is"},
		{[]string{"account", "ban", "a", "1h"}, exitUsage, "<reason>"},
		{[]string{"account", "lock", "a", "home"}, exitUsage, "home"},
		{[]string{"account", "list"}, exitFailure, "nothing is kept in " + dir},
		{[]string{"store", "check"}, exitFailure, "nothing is kept in " + dir},
		{[]string{"store", "dump", "-"}, exitFailure, "nothing is kept in " + dir},
		{[]string{"store", "load", dir + ".dump"}, exitFailure, "no such file"},
		{[]string{"store", "check", "--database", "host=h"}, exitUsage, "--database is a URL"},
	} {
		code, stdout, stderr := execute(t, nil, append(c.args, "--data", dir)...)
		if code != c.code || stdout != "" || !strings.Contains(stderr, c.want) {
			t.Errorf("%q: exit code %d, %q %q, want %d, %q", c.args, code, stdout, stderr, c.code, c.want)
		}
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("a folder was made")
	}
	if code, _, stderr := execute(t, []string{"HOME=", "XDG_DATA_HOME="}, "account", "list"); code != exitUsage || !strings.Contains(stderr, "--database") {
		t.Errorf("without a home: exit code %d, %s", code, stderr)
	}
	_, stdout, stderr := execute(t, []string{"MUSTER_DATA=" + dir}, "account", "create", "a", "x")
	if _, err := os.Stat(filepath.Join(dir, "muster.db")); err != nil {
		t.Errorf("MUSTER_DATA is not heard: %s%s", stdout, stderr)
	}
}

// TestBanFromTheConsole has a banned player leave at once, and keeps it from coming back with its session key.
func TestBanFromTheConsole(t *testing.T) {
	dir := t.TempDir()
	s := serve(t, "--creatures", "0", "--data", dir)
	v := visit(t, s, "ANNA")
	v.create("anna")
	v.enter()
	for _, line := range []string{"account create Bea secret", "account set gmlevel bea 3 -1", "ban account Anna 1h too loud"} {
		if code, stdout, stderr := execute(t, nil, append([]string{"ctl", "--data", dir}, strings.Fields(line)...)...); code != exitOK {
			t.Errorf("%s: exit code %d\n%s%s", line, code, stdout, stderr)
		}
	}
	if _, err := io.Copy(io.Discard, v.socket); os.IsTimeout(err) {
		t.Error("ANNA plays on")
	}
	for name, want := range map[string]login.Result{"ANNA": login.Suspended, "BEA": login.Success} {
		pass := map[string]string{"ANNA": defaultPassword, "BEA": "secret"}[name]
		if got, _ := knock(t, s, "127.0.0.1", name, pass); got != want {
			t.Errorf("%s: %#x, want %#x", name, got, want)
		}
	}
	k := &keep{t: t, flags: []string{"--data", dir}}
	if said := k.do(exitOK, "too loud", "account", "list", "--json"); !strings.Contains(said, `"name":"BEA","level":3`) {
		t.Errorf("listed\n%s", said)
	}
}

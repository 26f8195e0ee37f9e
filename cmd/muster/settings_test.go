package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"muster/cmd/internal/flags"
	"muster/cmd/internal/realm"
	"muster/cmd/internal/storage"
	"muster/internal/metric"
	"muster/net/gateway"
)

// parse reads a command line as the program does, and runs nothing.
func parse(t *testing.T, args, variables []string) (*verbs, error) {
	t.Helper()
	v := new(verbs)
	var out bytes.Buffer
	_, err := newParser(v, &flags.Environment{Stdout: &out, Stderr: &out, Variables: variables}).Parse(args)
	return v, err
}

func write(t *testing.T, text string) (file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "muster.conf")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// line shows values side by side.
func line(values ...any) string { return strings.TrimSuffix(fmt.Sprintln(values...), "\n") }

// The names and the defaults are what scripts rely on.
func TestServeDefaults(t *testing.T) {
	v, err := parse(t, []string{"serve"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := &v.Serve
	password, err := s.OpenPassword()
	got := line(s.Auth, s.World, s.Admin, s.RealmName, s.RealmAddress, password, err, s.OpenLevel, s.Seed,
		s.Creatures, s.Start, s.Tick, s.Phases, s.MaxPlayers, s.DelayAuthChallenge, s.DelayAuthResponse)
	const want = "127.0.0.1:3724 127.0.0.1:8085 127.0.0.1:8086 muster  muster <nil> 0 1 20000 spread 0s 0 0 0s 0s"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestServeFlags(t *testing.T) {
	v, err := parse(t, strings.Fields("serve --auth localhost:1 --world [::1]:2 --admin 127.0.0.1:0 --open-accounts p "+
		"--open-level 3 --realm-address realm.example:8085 --realm-name R --delay-auth-challenge 75ms "+
		"--delay-auth-response 1s --seed 7 --creatures 1000000 --start one --ephemeral --tick 100ms --phases 4 --max-players 9"), nil)
	if err != nil {
		t.Fatal(err)
	}
	s := &v.Serve
	password, _ := s.OpenPassword()
	got := line(s.Auth, s.World, s.Admin, s.RealmName, s.RealmAddress, password, s.OpenLevel, s.Seed,
		s.Creatures, s.Start, s.Ephemeral, s.Tick, s.Phases, s.MaxPlayers, s.DelayAuthChallenge, s.DelayAuthResponse)
	const want = "127.0.0.1:1 [::1]:2 127.0.0.1:0 R realm.example:8085 p 3 7 1000000 one true 100ms 4 9 75ms 1s"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Flags win over the environment, that over the file, that over the default.
func TestPrecedence(t *testing.T) {
	file := write(t, "Seed = 2\nTick = 60ms\nRealmName = \"from # file\"\n")
	variables := []string{"MUSTER_SEED=3", "MUSTER_TICK=70ms", "HOME=x"}
	v, err := parse(t, []string{"serve", "--config", file, "--seed", "4"}, variables)
	if err != nil {
		t.Fatal(err)
	}
	s := &v.Serve
	if s.Seed != 4 || s.Tick != 70*time.Millisecond || s.RealmName != "from # file" || s.Creatures != 20000 {
		t.Errorf("seed %d, tick %v, realm %q, creatures %d", s.Seed, s.Tick, s.RealmName, s.Creatures)
	}
	if v, err = parse(t, []string{"serve"}, append(variables, "MUSTER_CONFIG="+file)); err != nil || v.Serve.RealmName != "from # file" {
		t.Errorf("a file named by the environment gives %q, %v", v.Serve.RealmName, err)
	}
}

func TestEveryFlagCanBeSetInAFile(t *testing.T) {
	v, err := parse(t, []string{"serve", "--config", write(t, ""+
		"[worldserver]\nAuth = 127.0.0.2:1\nWorld = \":2\"\nAdmin = 127.0.0.1:3\nRealmName = N\nRealmAddress = h:4\n"+
		"OpenAccounts = secret\nOpenAccountsAnywhere = 1\nOpenLevel = 2\nSeed = 5\nCreatures = 6\nStart = one\n"+
		"Ephemeral = true\nTick = 20ms\nPhases = 3\nMaxPlayers = 7\nMaxPerAddress = 8\nLimitLoopback = true\nDelayAuthChallenge = 8ms\nDelayAuthResponse = 9ms\n"+
		"Profile = cpu # until the end\n")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := &v.Serve
	password, _ := s.OpenPassword()
	got := line(s.Auth, s.World, s.Admin, s.RealmName, s.RealmAddress, password, s.OpenLevel, s.Seed, s.Creatures,
		s.Start, s.Ephemeral, s.Tick, s.Phases, s.MaxPlayers, s.MaxPerAddress, s.LimitLoopback,
		s.DelayAuthChallenge, s.DelayAuthResponse, s.Profile)
	const want = "127.0.0.2:1 0.0.0.0:2 127.0.0.1:3 N h:4 secret 2 5 6 one true 20ms 3 7 8 true 8ms 9ms cpu"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// The keys of AzerothCore have its values.
//
// Source: CloseIdleConnections, SocketTimeOutTime and SocketTimeOutTimeActive, worldserver.conf.dist, AzerothCore.
func TestSilence(t *testing.T) {
	silence := func(closes bool, character, active time.Duration) realm.Silence {
		return realm.Silence{CloseIdleConnections: closes, SocketTimeOutTime: realm.Millis{Duration: character}, SocketTimeOutTimeActive: realm.Millis{Duration: active}}
	}
	for _, c := range []struct {
		file string
		want realm.Silence
	}{
		{"", silence(true, 900*time.Second, 60*time.Second)},
		{"CloseIdleConnections = 0\nSocketTimeOutTime = 60000\nSocketTimeOutTimeActive = 2m\n",
			silence(false, time.Minute, 2*time.Minute)},
	} {
		v, err := parse(t, []string{"serve", "--config", write(t, c.file)}, nil)
		if err != nil || v.Serve.Silence != c.want {
			t.Errorf("%q is %+v, %v, want %+v", c.file, v.Serve.Silence, err, c.want)
		}
	}
	for _, text := range []string{"999", "-1", "soon", "999ms"} {
		if _, err := parse(t, []string{"serve", "--socket-time-out-time", text}, nil); err == nil {
			t.Errorf("%s is taken", text)
		}
	}
}

// Source: AllowTwoSide.Interaction.Chat and the others, worldserver.conf.dist, AzerothCore.
func TestAllowTwoSide(t *testing.T) {
	for _, c := range []struct {
		file string
		want gateway.TwoSides
	}{
		{"", gateway.TwoSides{}},
		{"AllowTwoSide.Interaction.Chat = 1\n", gateway.TwoSides{Chat: true}},
		{"AllowTwoSide.Interaction.Channel = 1\n", gateway.TwoSides{Channel: true}},
		{"AllowTwoSide.WhoList = 1\nAllowTwoSide.Interaction.Chat = 0\n", gateway.TwoSides{WhoList: true}},
	} {
		v, err := parse(t, []string{"serve", "--config", write(t, c.file)}, nil)
		if err != nil || v.Serve.AllowTwoSide.Rules() != c.want {
			t.Errorf("%q is %+v, %v, want %+v", c.file, v.Serve.AllowTwoSide, err, c.want)
		}
	}
}

// Variables of the container image, and of one environment for all processes of a cluster, are read by the verbs that have the setting. What is a
// setting of none of them is refused by each, as is what only verbs have that read no environment.
func TestVariablesOfOtherVerbs(t *testing.T) {
	shared := []string{"MUSTER_AUTH=0.0.0.0:3724", "MUSTER_WORLD=0.0.0.0:8085", "MUSTER_WAIT=3", "MUSTER_CAPACITY=5", "MUSTER_REALM_NAME=R", "PATH=x"}
	for args, want := range map[string]string{
		"serve":                               "0.0.0.0:3724 0.0.0.0:8085 R",
		"login --database postgres://h/n":     "0.0.0.0:3724 R",
		"worker --bus nats://h:1":             "5 R",
		"orchestrate --database postgres://h": "3 R",
	} {
		v, err := parse(t, strings.Fields(args), shared)
		if err != nil {
			t.Errorf("%s: %v", args, err)
			continue
		}
		got := map[string]string{
			"serve": line(v.Serve.Auth, v.Serve.World, v.Serve.RealmName), "login": line(v.Login.Auth, v.Login.RealmName),
			"worker": line(v.Worker.Capacity, v.Worker.RealmName), "orchestrate": line(v.Orchestrate.Wait, v.Orchestrate.RealmName),
		}[strings.Fields(args)[0]]
		if got != want {
			t.Errorf("%s has %s, want %s", args, got, want)
		}
		for _, variable := range []string{"MUSTER_TOCK", "MUSTER_BEHAVIOUR"} {
			if _, err := parse(t, strings.Fields(args), []string{variable + "=1"}); err == nil || !strings.Contains(err.Error(), variable+": no such setting") {
				t.Errorf("%s: %s: %v", args, variable, err)
			}
		}
	}
}

const notDatabase = "serve: --database is a URL, postgres://USER@HOST/NAME, in which signs other than letters and " +
	"digits are spelled as %40 is for @"

func TestRefusedSettings(t *testing.T) {
	for _, c := range []struct {
		name, args, file string
		variables        []string
		want             string // FILE is the file's name
	}{
		{"unknown key", "", "\nTock = 50ms\n", nil, "config: FILE:2: Tock: no such setting"},
		{"doubled key", "", "Tick = 50ms\nSeed = 1\nTick = 60ms\n", nil,
			"config: FILE:3: Tick: set twice in one file, first at FILE:1"},
		{"not a line", "", "Tick\n", nil, "config: FILE:1: want Key = value"},
		{"file in a file", "", "Config = other\n", nil, "config: FILE:1: Config: no such setting"},
		{"bad value", "", "# c\nCreatures = many\n", nil,
			`config: FILE:2: Creatures: --creatures: expected a valid 64 bit int but got "many"`},
		{"bad value under a good flag", "--creatures 1", "Creatures = many\n", nil,
			`config: FILE:1: Creatures: --creatures: expected a valid 64 bit int but got "many"`},
		{"unknown variable", "", "", []string{"MUSTER_TOCK=1"}, "config: MUSTER_TOCK: no such setting"},
		{"bad variable", "", "", []string{"MUSTER_OPEN_LEVEL=x"},
			`config: MUSTER_OPEN_LEVEL: OpenLevel: --open-level: expected a valid 8 bit uint but got "x"`},
		{"bad choice", "", "Start = both\n", nil, `--start must be one of "spread","one" but got "both"`},
		{"tick", "--tick 4ms", "", nil, "serve: --tick is 0 or whole milliseconds from 5ms to 1s, not 4ms"},
		{"part of a tick", "--tick 10500us", "", nil, "serve: --tick is 0 or whole milliseconds from 5ms to 1s, not 10.5ms"},
		{"phases", "--phases 21", "", nil, "serve: --phases is 0 or from 1 to 20, not 21"},
		{"processor", "--cpu-budget 1025", "", nil, "serve: --cpu-budget is from 0 to 1024 cores, not 1025"},
		{"budget", "--observer-budget=-1", "", nil, "serve: --observer-budget is from 0 to 1048576, not -1"},
		{"creatures", "--creatures 8000001", "", nil, "serve: --creatures is from 0 to 8,000,000, not 8000001"},
		{"level", "--open-level 4", "", nil, "serve: --open-level is from 0 to 3, not 4"},
		{"data and ephemeral", "--data d --ephemeral", "", nil, "serve: --data and --ephemeral exclude each other"},
		{"database and ephemeral", "--ephemeral", "Database = postgres://h/n\n", nil,
			"serve: --database and --ephemeral exclude each other"},
		{"all three", "--data d --database postgres://h/n --ephemeral", "", nil,
			"serve: --data and --ephemeral exclude each other"},
		{"words as database", "--database host=h", "", nil, notDatabase},
		{"another database", "--database mysql://h/n", "", nil, notDatabase},
		{"odd password", "--database postgres://u:se/cret@h/n", "", nil, notDatabase},
		{"flight budget", "--flight-budget 600000h", "", nil, "serve: --flight-budget is from 0s to 1h, not 600000h0m0s"},
		{"flight every", "--flight-every 0s", "", nil, "serve: --flight-every is more than nothing"},
		{"realm without a port", "--realm-address h", "", nil, `serve: --realm-address is HOST:PORT, not "h"`},
		{"realm on port 0", "--realm-address h:0", "", nil, `serve: --realm-address wants a port from 1 to 65535, not "0"`},
		{"delay", "--delay-auth-response=-1s", "", nil, "serve: a delay is not negative"},
		{"connections of an address", "--max-per-address=-1", "", nil, "serve: --max-per-address is not negative, as in -1"},
		{"delay beyond the login", "--delay-auth-challenge 1s --delay-auth-response 9s", "", nil,
			"serve: delays of 10s leave nothing of the 10s that a client has to log in"},
		{"no name", "--realm-name=", "", nil, "serve: --realm-name has from 1 to 255 bytes, not 0"},
		{"long name", "", "RealmName = " + strings.Repeat("n", 256) + "\n", nil, "serve: --realm-name has from 1 to 255 bytes, not 256"},
		{"admin for any address", "--admin 192.0.2.1:8086", "", nil,
			"serve: --admin on another address than loopback needs --admin-token or --admin-token-file"},
		{"short token", "--admin-token 0123456789abcde", "", nil, "serve: --admin-token has at least 16 bytes, not 15"},
		{"two tokens", "--admin-token 0123456789abcdef --admin-token-file f", "", nil,
			"serve: --admin-token and --admin-token-file name a token each: give one of them"},
		{"address", "--auth 3724", "", nil, "--auth: want HOST:PORT: address 3724: missing port in address"},
		{"name as address", "--auth example.org:1", "", nil,
			`--auth: want an IP address, localhost or nothing before the port, not "example.org"`},
		{"port", "--auth 127.0.0.1:65536", "", nil, `--auth: want a port from 0 to 65535, not "65536"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			args := append([]string{"serve"}, strings.Fields(c.args)...)
			file := ""
			if c.file != "" {
				file = write(t, c.file)
				args = append(args, "--config", file)
			}
			_, err := parse(t, args, c.variables)
			if want := strings.ReplaceAll(c.want, "FILE", file); err == nil || err.Error() != want {
				t.Errorf("got  %v\nwant %s", err, want)
			}
		})
	}
	if _, err := parse(t, []string{"serve", "--config", filepath.Join(t.TempDir(), "none")}, nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that does not exist: %v", err)
	}
}

func TestRefusedSwarms(t *testing.T) {
	for args, want := range map[string]string{
		"--clients 0":   "swarm: --clients is at least 1, not 0",
		"--duration 0s": "swarm: --duration is more than nothing, not 0s",
	} {
		if _, err := parse(t, append([]string{"swarm"}, strings.Fields(args)...), nil); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", args, err, want)
		}
	}
}

func TestOpenAccounts(t *testing.T) {
	const refused = "serve: --open-accounts on another address than loopback lets anyone in: " +
		"it needs --open-accounts-anywhere as well"
	for _, c := range []struct{ args, password, err string }{
		{"", "muster", ""},
		{"--auth [::1]:0 --world 127.0.0.9:0", "muster", ""},
		{"--open-accounts other", "other", ""},
		{"--open-accounts=", "", ""},
		{"--auth :3724", "", ""},
		{"--world 192.0.2.1:8085", "", ""},
		{"--admin :8086", "", "serve: --admin on another address than loopback needs --admin-token or --admin-token-file"},
		{"--world 192.0.2.1:8085 --open-accounts=", "", ""},
		{"--world 192.0.2.1:8085 --open-accounts other", "", refused},
		{"--auth :3724 --open-accounts muster", "", refused},
		{"--auth :3724 --open-accounts other --open-accounts-anywhere", "other", ""},
		{"--auth :3724 --open-accounts-anywhere", "muster", ""},
		{"--auth :3724 --open-accounts= --open-accounts-anywhere", "", ""},
		{"--open-accounts 12345678901234567", "", "serve: --open-accounts: a password has at most 16 bytes"},
	} {
		v, err := parse(t, append([]string{"serve"}, strings.Fields(c.args)...), nil)
		if err != nil {
			if err.Error() != c.err {
				t.Errorf("%s: %v, want %q", c.args, err, c.err)
			}
			continue
		}
		if got, _ := v.Serve.OpenPassword(); got != c.password || c.err != "" {
			t.Errorf("%s: password %q, want %q %s", c.args, got, c.password, c.err)
		}
	}
}

// TestStoreFlags has the ways to say where accounts and characters are kept.
func TestStoreFlags(t *testing.T) {
	here, err := filepath.Abs("d")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, file, kept string }{
		{"", "", "/x/muster/muster.db"},
		{"--ephemeral", "", "memory, until this process ends"},
		{"--data d", "", here + "/muster.db"},
		{"", "Data = /d\nEphemeral = false\n", "/d/muster.db"},
		{"", "Database = \"postgres://u:p@h:5433/n\"\n", "postgres://u@h:5433/n"},
		{"--database postgres://", "", "postgres:"},
		{"--database postgresql://h/n?password=p&sslmode=disable&sslpassword=q", "", "postgresql://h/n?sslmode=disable"},
	} {
		args := append([]string{"serve"}, strings.Fields(c.args)...)
		if c.file != "" {
			args = append(args, "--config", write(t, c.file))
		}
		v, err := parse(t, args, []string{"HOME=/h", "XDG_DATA_HOME=/x"})
		if err != nil {
			t.Errorf("%s%s: %v", c.args, c.file, err)
		} else if got := v.Serve.Place(); got != c.kept {
			t.Errorf("%s%s: kept in %s, want %s", c.args, c.file, got, c.kept)
		}
	}
}

// TestDataFolder has where things are kept if no flag says so, and that each database has a journal of its own.
func TestDataFolder(t *testing.T) {
	for _, c := range []struct {
		variables []string
		args      string
		want      string
	}{
		{[]string{"HOME=/h"}, "", "/h/.local/share/muster/journal"},
		{[]string{"HOME=/h", "XDG_DATA_HOME=/x"}, "", "/x/muster/journal"},
		{[]string{"HOME=/h", "XDG_DATA_HOME=x"}, "", "/h/.local/share/muster/journal"},
		{[]string{"HOME=/h"}, "--data /d", "/d/journal"},
		{[]string{"HOME=/h"}, "--data /d --database postgres://u@h/n", "/d/journal-1ae4b0a4e420"},
		{[]string{"HOME=/h"}, "--data /d --database postgres://u:secret@h/n", "/d/journal-1ae4b0a4e420"},
		{[]string{"HOME=/h"}, "--data /d --database postgres://u@h/m", "/d/journal-12c968498538"},
	} {
		v, err := parse(t, append([]string{"serve"}, strings.Fields(c.args)...), c.variables)
		if err != nil {
			t.Errorf("%s: %v", c.args, err)
		} else if got := storage.JournalFolder(v.Serve.Data, v.Serve.Database); got != c.want {
			t.Errorf("%v %s: the journal is in %s, want %s", c.variables, c.args, got, c.want)
		}
	}
	v, err := parse(t, []string{"serve"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.Serve.Open(t.Context(), new(metric.Table), slog.Default()); err == nil || !strings.Contains(err.Error(), "XDG_DATA_HOME") {
		t.Errorf("without a home: %v", err)
	}
}

func TestSwarmFlags(t *testing.T) {
	v, err := parse(t, strings.Fields("swarm --auth h:1 --accounts P --password q --clients 1000 --behaviour roam "+
		"--ramp 50/s --duration 1m --json f --slo p99=200ms,login.p50=1s"), nil)
	if err != nil {
		t.Fatal(err)
	}
	s := &v.Swarm
	got := line(s.Auth, s.Accounts, s.Password, s.Clients, s.Behaviour, s.Ramp, s.Duration, s.JSON, s.SLO)
	const want = "h:1 P q 1000 roam 50 1m0s f [movement.p99=200ms login.p50=1s]"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for _, args := range []string{"--behaviour dance", "--ramp 0/s", "--ramp x", "--ramp NaN", "--slo p99", "--clients many"} {
		if _, err := parse(t, append([]string{"swarm"}, strings.Fields(args)...), nil); err == nil {
			t.Errorf("swarm %s was taken", args)
		}
	}
}

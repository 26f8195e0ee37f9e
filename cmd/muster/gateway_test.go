package main

import (
	"strings"
	"testing"
)

const (
	gatewayBus      = "nats://127.0.0.1:4222"
	gatewayDatabase = "postgres://muster@127.0.0.1/muster"
)

// A gateway is serve with the bus and the database, and without logins. What it has not is as by default.
func TestGatewayFlags(t *testing.T) {
	t.Parallel()
	v, err := parse(t, strings.Fields("gateway --bus "+gatewayBus+" --database "+gatewayDatabase+" --world 127.0.0.1:0 --max-players 9 --data d"), nil)
	if err != nil {
		t.Fatal(err)
	}
	s := v.served()
	got := line(s.Bus, s.Database, s.NoLogins, s.World, s.MaxPlayers, s.Strikes, s.Durable, s.WrongPass.MaxCount, s.Rungs().Quantum)
	if want := line(gatewayBus, gatewayDatabase, "true 127.0.0.1:0 9 10 characters 10 7ms"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for args, want := range map[string]string{
		"":                              "--bus and --database are needed",
		"--bus " + gatewayBus:           "--bus and --database are needed",
		"--database " + gatewayDatabase: "--bus and --database are needed",
		"--auth 127.0.0.1:3724":         "unknown flag --auth",
		"--no-logins":                   "unknown flag --no-logins",
		"--open-accounts x":             "unknown flag --open-accounts",
		"--rate-xp 2":                   "unknown flag --rate-xp",
		"--ephemeral":                   "unknown flag --ephemeral",
		"--durable world":               "unknown flag --durable",
		"--bus http://h --database " + gatewayDatabase: "--bus is a URL",
	} {
		if _, err := parse(t, append([]string{"gateway"}, strings.Fields(args)...), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("gateway %s: %v, want %s", args, err, want)
		}
	}
}

// All roles of a cluster can read one file: what is below a heading with the name of a verb is for that one alone.
func TestFileOfSeveralVerbs(t *testing.T) {
	t.Parallel()
	const shared = "[muster]\nBus = " + gatewayBus + "\nDatabase = " + gatewayDatabase + "\nSeed = 7\n" +
		"[orchestrate]\nWait = 3\n[worker]\nCapacity = 5\n[login]\nAuth = 127.0.0.1:9\n[gateway]\nSeed = 8\nWorld = 127.0.0.1:10\n"
	for verb, want := range map[string]string{
		"gateway":     line(gatewayBus, gatewayDatabase, "8 127.0.0.1:10"),
		"worker":      line(gatewayBus, gatewayDatabase, "7 5"),
		"login":       line(gatewayDatabase, "127.0.0.1:9"),
		"orchestrate": line(gatewayBus, gatewayDatabase, "3"),
		"serve":       line(gatewayBus, gatewayDatabase, "7 127.0.0.1:8085"),
	} {
		v, err := parse(t, []string{verb, "--config", write(t, shared)}, nil)
		if err != nil {
			t.Errorf("%s: %v", verb, err)
			continue
		}
		s := v.served()
		got := map[string]string{
			"gateway":     line(s.Bus, s.Database, s.Seed, s.World),
			"worker":      line(v.Worker.Bus, v.Worker.Database, v.Worker.Seed, v.Worker.Capacity),
			"login":       line(v.Login.Database, v.Login.Auth),
			"orchestrate": line(v.Orchestrate.Bus, v.Orchestrate.Database, v.Orchestrate.Wait),
			"serve":       line(s.Bus, s.Database, s.Seed, s.World),
		}[verb]
		if got != want {
			t.Errorf("%s has %s, want %s", verb, got, want)
		}
	}
	for text, want := range map[string]string{
		shared + "Wait = 3\n":                            ":14: Wait: no such setting", // below [gateway]
		"Tock = 1\n" + shared:                            ":1: Tock: no such setting",  // of no verb
		shared + "Seed = 9\n":                            ":14: Seed: set twice in one file",
		"Database = " + gatewayDatabase + "\nWait = 3\n": ":2: Wait: no such setting", // the file is for one verb
	} {
		if _, err := parse(t, []string{"gateway", "--config", write(t, text)}, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s, of\n%s", err, want, text)
		}
	}
}

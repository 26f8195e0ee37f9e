package main

import (
	"context"
	"strings"
	"syscall"
	"testing"
	"time"

	"muster/bench/swarm"
)

// grind has clients fight against a server, until it is enough or the time is over, and wants it to have gone by the
// rules.
func grind(t *testing.T, s *served, clients int, most time.Duration, enough func(*swarm.Harvest) bool) swarm.Report {
	t.Helper()
	report, err := swarm.Run(context.Background(), swarm.Config{
		Auth: s.auth, Prefix: "GRINDER", Password: defaultPassword, Strict: true, Clients: clients, Behaviour: swarm.Grind,
		Duration: most, Seed: 1, PIDs: []int{s.cmd.Process.Pid}, Login: 2 * patience, Enough: enough,
	})
	var text strings.Builder
	if failed := report.WriteText(&text); err != nil || failed != nil {
		t.Errorf("%v, %v\n%s", err, failed, &text)
	}
	if report.Logins.OK != clients || report.InWorld.Least != clients || report.Lost.Total != 0 || report.Violations.Total != 0 {
		t.Errorf("logins %+v, in world %+v, lost %+v, violations %+v", report.Logins, report.InWorld, report.Lost, report.Violations)
	}
	t.Logf("after %.0f s:\n%s", report.MeasureMs/1e3, &text)
	return report
}

// Ten clients stand in pairs and hand each other what they have: each pair has all of it afterwards.
func TestClientsTrade(t *testing.T) {
	s := serve(t, "--ephemeral", "--creatures", "0", "--start", "one")
	r := swarms(t, s, swarm.Config{Clients: 10, Behaviour: swarm.Trade, Duration: 8 * time.Second})
	if r.Trades.Done == 0 || r.Trades.Items == 0 || r.Trades.Ended.Total != 0 || r.Trades.Unbalanced.Total != 0 {
		t.Errorf("%+v", r.Trades)
	}
	s.stop(syscall.SIGTERM, 1)
}

// Thirty clients fight: every one kills, loots and gains levels, and some die and come back. A kill is worth more than
// usual, so that no client has to wait for a level; a machine that has much else to do is given time.
func TestClientsGrind(t *testing.T) {
	waits(t)
	const clients = 30
	s := serve(t, "--ephemeral", "--rate-xp", "8")
	done := func(h *swarm.Harvest) bool {
		return h.Kills.Some == clients && h.Bodies.Some == clients && h.Levels.Some == clients &&
			h.Returns.Total > 0 && h.Items.Total > 0 && h.Done.Total > 0
	}
	if r := grind(t, s, clients, 15*time.Minute, done); !done(r.Harvest) {
		h := r.Harvest
		t.Errorf("of %d clients %d have killed, %d have looted, %d have risen, %d have died and %d are back",
			clients, h.Kills.Some, h.Bodies.Some, h.Levels.Some, h.Deaths.Some, h.Returns.Some)
	}
	s.stop(syscall.SIGTERM, 1)
}

// Package limitlist prints what is bounded, by what, and what becomes of more.
package limitlist

import (
	"fmt"
	"io"
	"math/bits"
	"slices"
	"strings"

	"muster/cmd/internal/flags"
	"muster/cmd/internal/instancelog"
	"muster/cmd/internal/orchestrator"
	"muster/cmd/internal/playback"
	"muster/cmd/internal/storesnapshot"
	"muster/internal/limit"
	"muster/internal/metric"
	"muster/loaders/dbc"
	"muster/loaders/store"
	"muster/loaders/store/journal"
	"muster/net/gateway"
	"muster/net/gateway/claims"
	"muster/net/gateway/instances"
	"muster/net/gateway/relay"
	"muster/net/gateway/session"
	"muster/net/login"
	"muster/net/login/account"
	"muster/net/ops/admin"
	"muster/net/ops/console"
	"muster/net/ops/control"
	"muster/net/ops/flight"
	"muster/net/ops/page"
	"muster/net/protocol/msg"
	"muster/net/replication/remote"
	"muster/net/replication/span"
	"muster/net/replication/streamlog"
	"muster/net/replication/worldlog"
	"muster/systems/intake"
	"muster/systems/movement"
	"muster/systems/reload"
	"muster/systems/smartai"
	"muster/systems/trade"
)

// A Part is the limits of a part of the program.
type Part struct {
	Name   string
	Limits []limit.Limit
}

// Parts has all of them.
var Parts = []Part{
	{"Logins", login.Limits()},
	{"Passwords", account.Limits()},
	{"Connections to a world", gateway.Limits()},
	{"What a connection says", session.Limits()},
	{"Worlds in other processes", remote.Limits()},
	{"Traces of movements", span.Limits()},
	{"Workers and orchestrators", orchestrator.Limits()},
	{"Accounts of several gateways", claims.Limits()},
	{"Players of several gateways", relay.Limits()},
	{"Instances", slices.Concat(instances.Limits(), flags.InstanceLimits(), instancelog.Limits())},
	{"Players from other worlds", intake.Limits()},
	{"How players move", movement.Bounds()},
	{"Scripts", smartai.Limits()},
	{"Trades", trade.Limits()},
	{"Definitions that are replaced", reload.Limits()},
	{"Files of a client", dbc.Limits()},
	{"What is kept", store.Limits()},
	{"The journal", journal.Limits()},
	{"Worlds that are kept", slices.Concat(worldlog.Limits(), playback.Limits())},
	{"Worlds that are kept in a stream", streamlog.Limits()},
	{"Operators", slices.Concat(console.Limits(), admin.Limits(), page.Limits(), control.Limits(), flight.Limits(), storesnapshot.Limits())},
	{"Counters", metric.Limits()},
}

// Print prints every limit, in Markdown.
func Print(w io.Writer) error {
	states := bits.OnesCount(uint(msg.Fresh | msg.Queued | msg.Always))
	fmt.Fprintf(w, `# Limits

What others decide is bounded, and a breach is counted. This page is what `+"`muster limits`"+` prints: the values are
those that the code goes by. A setting is a flag of `+"`muster serve`"+`, a key of its file in CamelCase, and a variable;
what has none is fixed. Counters are those of `+"`server debug`"+` and of the page for operators.

Whatever a client says in whatever state, nothing reaches a world that must not: TestMatrix of net/gateway/session sends each
of %d opcodes in each of %d states, which makes %d cells.
`, msg.Opcodes, states, msg.Opcodes*states)
	for _, part := range Parts {
		fmt.Fprintf(w, "\n## %s\n\n| limit | default | setting | beyond it | counted as | shown by |\n|---|---|---|---|---|---|\n", part.Name)
		for i := range part.Limits {
			l := &part.Limits[i]
			fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s |\n", l.Name, l.Text(), code(l.Setting), l.Breach, code(l.Counter), l.Test)
		}
	}
	fmt.Fprint(w, `
## Packets in a second, by class

`+"`flood-policy`"+` sets what becomes of more. In a class of which each opcode is counted, each may come as often.

| class | packets | of | beyond it | counted as | opcodes |
|---|---|---|---|---|---|
`)
	_, err := fmt.Fprint(w, classes())
	return err
}

// classes are the rows of the classes of opcodes.
func classes() string {
	var b strings.Builder
	for c, rate := range session.Rates {
		of, opcodes := "all", []string{}
		if rate.Each {
			of = "each"
		}
		for i := range msg.Table {
			if r := &msg.Table[i]; r.Direction&msg.ToServer != 0 && session.ClassOf(r.Op) == session.Class(c) && !msg.IsMove(r.Op) {
				opcodes = append(opcodes, r.Name)
			}
		}
		switch session.Class(c) {
		case session.Plain:
			opcodes = []string{"all others"}
		case session.Strange:
			opcodes = []string{"those that are not spoken here"}
		case session.Often:
			opcodes = append([]string{"whatever moves a player"}, opcodes...)
		}
		fmt.Fprintf(&b, "| %s | %d | %s | %v | %s | %s |\n", rate.Name, rate.PerSecond, of, rate.Policy, code("flood."+rate.Name), strings.Join(opcodes, ", "))
	}
	return b.String()
}

// code is text as code, nothing for none.
func code(text string) string {
	if text == "" {
		return ""
	}
	return "`" + text + "`"
}

package scenario

import (
	"fmt"
	"strings"

	"muster/components"
	"muster/components/defs"
	"muster/net/protocol/msg"
)

// classes are alike: 60 health at level 1, hits of 5 to 7 every 2 s, nothing that depends on a stat.
func classes() (all [defs.MaxClass + 1]defs.Class) {
	for i := range all {
		all[i] = defs.Class{
			Power: components.PowerRage, Health: defs.Growth{First: 60, PerLevel: 10},
			Damage: defs.Growth{First: 6, PerLevel: 2}, Spread: 0.16, SwingMs: 2000,
		}
	}
	return all
}

// describeFight says what a packet about a fight tells. It is false for another packet.
func (p *play) describeFight(m msg.Message) (detail string, loud bool) {
	switch m := m.(type) {
	case *msg.AttackStart:
		return p.names[m.Attacker] + " at " + p.names[m.Victim], true
	case *msg.AttackStopped:
		detail = p.names[m.Attacker] + " at " + p.names[m.Victim]
		if m.VictimDead != 0 {
			detail += ", which is dead"
		}
		return detail, true
	case *msg.AttackerState:
		return p.describeBlow(m), true
	case *msg.StandStateUpdate:
		return fmt.Sprint(m.State), true
	case *msg.AIReaction:
		return p.names[m.GUID], true
	case *msg.ThreatUpdate:
		return p.names[m.Unit] + p.describeThreats(m.Threats), true
	case *msg.HighestThreatUpdate:
		return p.names[m.Unit] + " turns to " + p.names[m.Victim] + p.describeThreats(m.Threats), true
	case *msg.ThreatRemove:
		return p.names[m.Unit] + " of " + p.names[m.Victim], true
	case *msg.ThreatClear:
		return p.names[m.Unit], true
	}
	return "", false
}

// describeBlow reads "Anna hits Wolf for 5" and the like.
func (p *play) describeBlow(m *msg.AttackerState) string {
	verb := map[msg.VictimState]string{
		msg.VictimHit: "hits", msg.VictimIntact: "misses", msg.VictimDodge: "is dodged by", msg.VictimParry: "is parried by",
		msg.VictimBlocks: "is blocked by", msg.VictimEvades: "is evaded by", msg.VictimImmune: "does nothing to",
	}[m.VictimState]
	for _, how := range []struct {
		bit  msg.HitInfo
		word string
	}{{msg.HitCritical, " critically"}, {msg.HitGlancing, " glancingly"}, {msg.HitCrushing, " crushingly"}, {msg.HitOffHand, " with the off hand"}} {
		if m.HitInfo&how.bit != 0 {
			verb += how.word
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %s", p.names[m.Attacker], verb, p.names[m.Victim])
	for _, part := range []struct {
		format string
		n      uint32
	}{{" for %d", m.Damage}, {", %d too much", m.Overkill}, {", %d blocked", m.Blocked}, {", %d absorbed", m.Subs[0].Absorbed}} {
		if part.n > 0 {
			fmt.Fprintf(&b, part.format, part.n)
		}
	}
	return b.String()
}

func (p *play) describeThreats(threats []msg.Threat) string {
	var b strings.Builder
	for _, t := range threats {
		fmt.Fprintf(&b, ", %s %s", p.names[t.Unit], number(float32(t.Amount)/100))
	}
	return b.String()
}

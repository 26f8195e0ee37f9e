package control

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"muster/net/gateway"
)

// A fakeGate has a player in no world that is asked.
type fakeGate struct{ Gate }

func (fakeGate) OnlinePlayers() []gateway.OnlinePlayer { return make([]gateway.OnlinePlayer, 3) }

// newFake returns a control of a server without worlds, 12 s after its start.
func newFake() *Control {
	now := func() time.Duration { return 12 * time.Second }
	return New(Config{Gate: fakeGate{}, Now: now, Happenings: NewHappenings(now, func(uint64) string { return "" })})
}

// seen is a moment of Anna, who is in a world, of Bert, who is not, and of a creature.
func seen(of *condition) *moment {
	m := newFake().newMoment(context.Background(), of, 0)
	m.control.config.Happenings.record()
	m.control.config.Happenings.add(Happening{Type: "kill", Name: "Anna"})
	m.control.config.Happenings.add(Happening{Type: "chat", Name: "Bert"})
	m.sessions["anna"] = &Character{
		Online: true, Level: 2, Health: 60, MaxHealth: 90, X: -7.5, Alive: true, Power: [7]uint32{5, 120}, Target: 0xF130000019000001,
		Items: []HeldItem{{Entry: 25, Count: 3}, {Entry: 26, Count: 1}, {Entry: 25, Count: 2}}, Auras: []HeldAura{{Spell: 17}}, Spells: []uint32{133},
	}
	m.sessions["bert"] = nil
	m.creatures[0xF130000019000001] = &CreatureState{Health: 7, Level: 3, Target: "0x1"}
	m.maps[0] = &mapState{tick: 240, players: 1}
	return m
}

func TestConditions(t *testing.T) {
	for _, c := range []struct {
		condition string
		want      bool
	}{
		{`true`, true}, {`false`, false}, {`!false`, true}, {`1`, true}, {`0`, false}, {`-0.5 < 0`, true}, {`"a" == "a"`, true}, {`"a" != "a"`, false},
		{`time >= 12000`, true}, {`time > 12000`, false}, {`time <= 12000 && time < 12001 && time == 12000`, true}, {`time != 12000`, false},
		{`players == 3`, true},
		{`session("Anna").level >= 2 && session("Anna").health < 100`, true},
		{`session("aNNA").level`, true},
		{`session("Anna").online`, true}, {`session("Anna").online == true`, true}, {`session("Bert").online`, false}, {`session("Bert").online == false`, true},
		{`session("Bert").level < 100`, false}, {`session("Bert").level >= 0`, false}, {`!(session("Bert").level >= 0)`, true}, {`session("Bert").alive`, false},
		{`0 <= session("Bert").level`, false}, {`session("Bert").level == 0`, false}, {`session("Bert").level != 0`, false},
		{`session("Anna").x == -7.5`, true}, {`session("Anna").mana == 5`, true}, {`session("Anna").rage == 12`, true}, {`session("Anna").energy`, false},
		{`session("Anna").alive && !session("Anna").ghost && !session("Anna").in_combat`, true},
		{`session("Anna").item(25) == 5`, true}, {`session("Anna").item(27)`, false}, {`session("Anna").aura(17) == 1`, true}, {`session("Anna").aura(18) == 0`, true},
		{`session("Anna").spell(133)`, true}, {`session("Anna").spell(134)`, false},
		{`session("Anna").target == "0xf130000019000001"`, true}, {`session("Anna").target != "0xf130000019000001"`, false},
		{`creature("0xf130000019000001").health == 7`, true}, {`creature("0xF130000019000001").target == "0x1"`, true},
		{`creature("0xf130000019000002").exists`, false}, {`creature("0xf130000019000002").health < 1`, false},
		{`map(0).tick == 240 && map(0).players == 1`, true}, {`map(7).exists == false`, true}, {`map(7).players == 0`, false},
		{`event("kill") == 1`, true}, {`event("kill", "Anna")`, true}, {`event("kill","Bert")`, false}, {`event("chat","bert")`, true}, {`event("level")`, false},
		{`false && true || true`, true}, {`true || true && false`, true}, {`(true || true) && false`, false}, {`!true || true`, true}, {`!(true || true)`, false},
		{` ( time>=0&&( players ) ) `, true}, {`false || false || true`, true}, {`true && true && false`, false},
	} {
		of, err := parseCondition(c.condition)
		if err != nil {
			t.Errorf("%s: %v", c.condition, err)
			continue
		}
		if got, err := of.holds(seen(of)); err != nil || got != c.want {
			t.Errorf("%s: %t, %v", c.condition, got, err)
		}
	}
	many := func(n int) string {
		var parts []string
		for i := range n {
			parts = append(parts, fmt.Sprintf(`session("A").item(%d)`, i))
		}
		return strings.Join(parts, "||")
	}
	for _, c := range []struct{ condition, want string }{
		{``, "at byte 0: a value is missing"},
		{`time >=`, "at byte 7: a value is missing"},
		{`time 7`, "at byte 5: it does not end here"},
		{`(time`, "at byte 5: ) is missing"},
		{`tim > 7`, "at byte 3: there is no tim, but time, players, event, session, creature and map"},
		{`Time > 7`, "at byte 0: a value is missing"},
		{`session(Anna).level`, `at byte 8: a text is missing, as in "Anna"`},
		{`session("Anna).level`, "at byte 9: a text does not end"},
		{`session("Anna")`, "at byte 15: . is missing"},
		{`session("Anna").`, "at byte 16: a field is missing"},
		{`session("Anna").size`, `there is no field "size", but alive, aura, energy, `},
		{`session("Anna").item`, "( is missing"},
		{`session("Anna").item(-1)`, "-1 is no number of 32 bits"},
		{`session("Anna").level == "2"`, `session("Anna").level and "2" cannot be compared: one is a text`},
		{`"a" < "b"`, "texts are compared with == and != alone"},
		{`"a"`, "a text alone is no condition"},
		{`creature("wolf").health`, `"wolf" is no GUID`},
		{`event("sneeze")`, `there is no type of event "sneeze"`},
		{`map(0.5).tick`, "0.5 is no number of 32 bits"},
		{`1.2.3`, `"1.2.3" is no number`},
		{`time = 7`, "at byte 5: it does not end here"},
		{`true & true`, "at byte 5: it does not end here"},
		{strings.Repeat("(", 17) + "1" + strings.Repeat(")", 17), "it is nested deeper than 16"},
		{strings.Repeat("!", 17) + "1", "it is nested deeper than 16"},
		{many(33), "it has more than 32 values"},
		{strings.Repeat(" ", 1024) + "1", "a condition has at most 1024 bytes"},
	} {
		if _, err := parseCondition(c.condition); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.40s: %v, want %s", c.condition, err, c.want)
		}
	}
	for _, good := range []string{
		strings.Repeat("(", 15) + "1" + strings.Repeat(")", 15), strings.Repeat(" ", 1023) + "1", many(32), strings.Repeat(`time||`, 40) + "time",
	} {
		if _, err := parseCondition(good); err != nil {
			t.Errorf("%.40s: %v", good, err)
		}
	}
}

// What a condition names is told as it was, each once.
func TestValuesOfConditions(t *testing.T) {
	of, err := parseCondition(`time < 0 && session("Bert").level > 1 || session( "Anna" ).x > 7 || session("Anna").alive && time < 0 || session("Anna").target == "x"`)
	if err != nil {
		t.Fatal(err)
	}
	values, err := seen(of).values(of)
	const want = `[{time 12000} {session("Bert").level absent} {session( "Anna" ).x -7.5} {session("Anna").alive true} {session("Anna").target "0xf130000019000001"}]`
	if got := fmt.Sprint(values); err != nil || got != want {
		t.Errorf("%s, %v\nwant %s", got, err, want)
	}
	if got := notHeld(time.Second, values[:2]).Error(); got != `the condition did not hold within 1000 ms: time is 12000, session("Bert").level is absent` {
		t.Errorf("it says %q", got)
	}
}

// Events that are no longer kept are not counted as if there were none.
func TestEventsThatAreGone(t *testing.T) {
	of, err := parseCondition(`event("kill") > 5000`)
	if err != nil {
		t.Fatal(err)
	}
	m := seen(of)
	for range maxHappenings - 1 {
		m.control.config.Happenings.add(Happening{Type: "chat"})
	}
	if holds, err := of.holds(m); holds || err != nil || !m.gap {
		t.Errorf("%t, %v, gap %t", holds, err, m.gap)
	}
}

// Whatever is sent as a condition is read or refused, has one value, and the other one with "!" before it.
func FuzzCondition(f *testing.F) {
	for _, seed := range []string{
		`time >= 12000`, `session("Anna").level >= 2 && !(session("Bert").item(25) < 3.5)`, `event("kill", "Anna") || "a" != "b"`,
		`creature("0xf130000019000001").exists == false`, `map(0).tick`, `((`, `!!1`, `session("`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) {
		of, err := parseCondition(source)
		if err != nil {
			if len(source) > 0 && err.Error() == "" {
				t.Error("it does not say why")
			}
			return
		}
		holds, err := of.holds(seen(of))
		if err != nil {
			t.Fatal(err)
		}
		not, err := parseCondition("!(" + source + ")")
		if err != nil {
			return // it has become too long, or too deep
		}
		if other, err := not.holds(seen(not)); err != nil || other == holds {
			t.Errorf("%q holds: %t, and its contrary: %t, %v", source, holds, other, err)
		}
		if len(of.operands) > maxOperands {
			t.Errorf("it has %d values", len(of.operands))
		}
	})
}

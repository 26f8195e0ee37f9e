package main

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"muster/components/defs"
	"muster/internal/conformance"
	"muster/loaders/synth"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// Of two gateways one is killed, again and again, while players of it rest and fight: the sessions of the other one go on, and those players come back
// through the other one in the state that they have in their world, which is newer than the stored one: place, health, target, the list of threat that
// they are on, auras, cooldowns, items, money. GATEWAY_KILLS is how often, 2 otherwise.
func TestGatewaysAreKilled(t *testing.T) {
	waits(t)
	kills := 2
	if text := os.Getenv("GATEWAY_KILLS"); text != "" {
		var err error
		if kills, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	g := newGatewayKills(startGateways(t, "--open-level", "3"))
	for n := range kills {
		g.kill(n)
	}
	g.stop(os.Interrupt, 1)
	slices.Sort(g.away)
	t.Logf("%d kills: %d sessions ended, all of the gateway that was killed, and %d of the other one went on; %d players came back as they were, %d of them in a fight, "+
		"after p50 %v, longest %v", kills, len(g.away), kills*len(g.watchers), len(g.away), g.fights,
		g.away[len(g.away)/2].Round(time.Millisecond), g.away[len(g.away)-1].Round(time.Millisecond))
}

// A gatewayKills is a cluster, players whose gateway is killed, and players of the other one.
type gatewayKills struct {
	*gatewayPair
	lost, watchers []*returning
	foe            uint32 // the entry of what is fought
	gift           uint32 // the entry of an item
	coat, step     uint32 // spells: an aura of half an hour, and one with a cooldown of minutes
	away           []time.Duration
	fights         int
}

const (
	gatewayLost     = 4 // players whose gateway is killed; half of them fight
	gatewayWatchers = 2
)

// newGatewayKills brings its players in, which may be operators: those that are lost through the first of the gateways, the others through the last.
func newGatewayKills(p *gatewayPair) *gatewayKills {
	t := p.t
	t.Helper()
	d, err := synth.New(synth.Config{Empty: true})
	if err != nil {
		t.Fatal(err)
	}
	spell := func(name string) uint32 {
		return d.Spells[slices.IndexFunc(d.Spells, func(s defs.Spell) bool { return s.Name == name })].ID
	}
	g := &gatewayKills{
		gatewayPair: p,
		foe: d.Creatures[slices.IndexFunc(d.Creatures, func(c defs.Creature) bool {
			return c.MinLevel <= 3 && c.Faction == defs.FactionHostile && c.Type != defs.TypeCritter
		})].Entry,
		gift: d.Items[slices.IndexFunc(d.Items, func(it defs.Item) bool { return it.Stack <= 1 })].Entry,
		coat: spell("Cold Coat"), step: spell("Fleet Foot"),
	}
	for i := range gatewayLost {
		g.lost = append(g.lost, &returning{g: g, account: fmt.Sprint("LOST", i+1), fights: i < gatewayLost/2})
	}
	for i := range gatewayWatchers {
		g.watchers = append(g.watchers, &returning{g: g, account: fmt.Sprint("WATCHER", i+1)})
	}
	for i, r := range slices.Concat(g.lost, g.watchers) {
		r.come(min(i/gatewayLost, len(p.live)-1))
		for _, order := range []string{"levelup 19", fmt.Sprint("learn ", g.step)} {
			r.orders(msg.ChatSay, "."+order)
		}
	}
	return g
}

// kill kills the gateway of those that are lost, and has them come back through the other one. Then they change places with the watchers.
func (g *gatewayKills) kill(n int) {
	t := g.t
	t.Helper()
	killed := n % 2
	for _, r := range g.lost {
		r.play(n)
	}
	pids := processesOf(t, g.cmd.Process.Pid, fmt.Sprint("--gateway ", killed+1))
	if len(pids) != 1 {
		t.Fatalf("gateway %d is the processes %v", killed+1, pids)
	}
	began := time.Now()
	if err := syscall.Kill(pids[0], syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	for _, r := range g.lost {
		r.ends()
	}
	g.comeBack(1-killed, began)
	if t.Failed() {
		t.Fatalf("this was kill %d", n+1)
	}
	g.gatewayIsBack(killed)
	for _, w := range g.watchers {
		w.socket.Close()
		w.come(killed)
	}
}

// comeBack has those whose connections ended come back through a gateway, and be as they were, for themselves and for those that have stayed.
func (g *gatewayKills) comeBack(gateway int, began time.Time) {
	g.t.Helper()
	for _, r := range g.lost {
		r.come(gateway)
		g.away = append(g.away, time.Since(began))
	}
	for _, r := range g.lost { // when all are there: who fights waits for the next hit, and is to keep none of the others waiting
		r.isAsBefore()
	}
	for _, w := range g.watchers {
		w.reads()
		for _, r := range g.lost {
			w.sees(r)
		}
	}
}

// gatewayIsBack waits until a gateway that was killed lets players in again, and notes where it listens now.
func (g *gatewayKills) gatewayIsBack(i int) {
	g.t.Helper()
	eventually(g.t, fmt.Sprintf("gateway %d is back", i+1), func() bool {
		for _, r := range g.lost {
			r.reads()
		}
		live, err := g.registry.Gateways(g.t.Context())
		if err != nil || len(live) != 2 || len(processesOf(g.t, g.cmd.Process.Pid, fmt.Sprint("--gateway ", i+1))) != 1 {
			return false
		}
		v := &visitor{t: g.t}
		s, err := v.dialer.Dial("tcp", live[i].Address)
		if err != nil {
			return false
		}
		s.Close()
		g.live = live
		return true
	})
}

// A returning is a player that loses its gateway, and comes back.
type returning struct {
	*visitor
	g       *gatewayKills
	account string
	fights  bool
	foe     uint64 // the creature that fights with it
	sight   *conformance.Client
	at      msg.Place      // where it was at its login, and then where it has gone
	cast    bool           // its spell
	coat    uint32         // how long its aura has left, ms, as it was told last; 0 if it has none
	waits   []msg.Cooldown // as of its login

	// Before it was lost:
	before  []uint32 // its fields
	was     msg.Place
	foeWas  uint32 // the health of the creature
	coatWas uint32 // of the aura, ms
}

// come logs it in through a gateway, as soon as that lets it in, and has it know itself in its world.
func (r *returning) come(gateway int) {
	t := r.g.t
	t.Helper()
	eventually(t, r.account+" is let in", func() bool { return r.enters(gateway) })
	if r.foe != 0 {
		for !r.sight.Knows(r.foe) {
			r.next()
		}
	}
}

// enters tries to.
func (r *returning) enters(gateway int) bool {
	t := r.g.t
	t.Helper()
	r.visitor = authenticate(t, r.g.served, r.account)
	var welcome msg.AuthResponse
	if welcome = r.greet(r.g.at(gateway), func(*msg.AuthSession) {}); welcome.Result != msg.AuthOK {
		r.socket.Close()
		return false
	}
	r.sight, r.coat, r.at = conformance.New(conformance.Config{Keep: true, Texts: 10}), 0, msg.Place{}
	r.sight.Packet(msg.OpAuthResponse, msg.Append(nil, wire.V12340, &welcome))
	r.visitor.reads = r.read
	all := r.list()
	if len(all) == 0 {
		r.create(r.account[:1] + strings.ToLower(r.account[1:len(r.account)-1]) + string('a'+r.account[len(r.account)-1]-'1'))
		all = r.list()
	}
	r.guid = all[0].GUID
	r.say(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: r.guid})
	for !r.sight.Knows(r.guid) {
		if op, _ := r.next(); op == msg.OpCharacterLoginFailed {
			r.socket.Close()
			return false
		}
	}
	return true
}

// read notes what it is sent.
func (r *returning) read(op uint16, body []byte) {
	switch op {
	case msg.OpLoginVerifyWorld:
		r.sight.Enter(r.guid)
		r.check(msg.Decode(wire.V12340, body, &r.at))
	case msg.OpInitialSpells:
		var m msg.InitialSpells
		r.check(msg.Decode(wire.V12340, body, &m))
		r.waits = m.Cooldowns
	case msg.OpSpellGo:
		var m msg.SpellGo
		r.check(msg.Decode(wire.V12340, body, &m))
		r.cast = r.cast || m.Caster == r.guid && m.Spell == r.g.step
	case msg.OpAuraUpdate, msg.OpAuraUpdateAll:
		var m msg.AuraUpdate
		r.check(msg.Decode(wire.V12340, body, &m))
		for _, a := range m.Records {
			if m.Unit == r.guid && a.Spell == r.g.coat {
				r.coat = a.LeftMs
			}
		}
	}
	r.sight.Packet(op, body)
}

// reads reads what there is: the answer to a ping comes after it.
func (r *returning) reads() {
	r.g.t.Helper()
	r.pings++
	r.say(msg.OpPing, &msg.Ping{Sequence: r.pings})
	r.await(msg.OpPong, new(msg.Pong))
}

// has reads until something holds.
func (r *returning) has(what string, ok func() bool) {
	r.g.t.Helper()
	eventually(r.g.t, r.account+": "+what, func() bool {
		r.reads()
		return ok()
	})
}

// Fields of units.
//
// Source: UNIT_FIELD_TARGET, UNIT_FIELD_HEALTH, UNIT_FIELD_MAXHEALTH, UNIT_FIELD_LEVEL and PLAYER_FIELD_COINAGE, mangos-wotlk UpdateFields.h.
const (
	targetField    = 0x12
	healthField    = 0x18
	maxHealthField = 0x20
	levelField     = 0x36
	coinageField   = 0x492
)

// field is a field of an object that it knows.
func (r *returning) field(guid uint64, index int) uint32 {
	if o, ok := r.sight.Object(guid); ok && index < len(o.Words) {
		return o.Words[index]
	}
	return 0
}

// target is what a unit that it knows has as its target.
func (r *returning) target(guid uint64) uint64 {
	return uint64(r.field(guid, targetField)) | uint64(r.field(guid, targetField+1))<<32
}

// play changes what the store cannot have yet, in a moment, and notes how it is then.
func (r *returning) play(n int) {
	t := r.g.t
	t.Helper()
	r.has("has its level", func() bool { return r.field(r.guid, levelField) == 20 })
	if r.foe != 0 {
		r.say(msg.OpSetSelection, &msg.SetSelection{GUID: r.foe})
		r.orders(msg.ChatSay, ".npc delete")
		r.has("has no foe any more", func() bool { return !r.sight.Knows(r.foe) })
	}
	r.say(msg.OpSetSelection, &msg.SetSelection{GUID: r.guid})
	r.orders(msg.ChatSay, ".modify hp 100000")
	r.has("is whole", func() bool { return r.field(r.guid, healthField) == r.field(r.guid, maxHealthField) })
	if r.fights {
		old := make(map[uint64]bool)
		for u := range r.sight.Creatures() {
			old[u.GUID] = true
		}
		r.orders(msg.ChatSay, fmt.Sprint(".npc add temp ", r.g.foe))
		r.has("sees what it fights", func() bool {
			for u := range r.sight.Creatures() {
				if !old[u.GUID] && math.Abs(float64(u.X-r.at.Position.X)) < 1 && math.Abs(float64(u.Y-r.at.Position.Y)) < 1 {
					r.foe = u.GUID
					return true
				}
			}
			return false
		})
		r.say(msg.OpSetSelection, &msg.SetSelection{GUID: r.foe})
		r.orders(msg.ChatSay, ".damage 1")
	}
	// A world reads what its gateway has sent it in order: what the last command does says that all of it was read.
	money := r.field(r.guid, coinageField)
	r.at.Position.X += 0.25 - 0.5*float32(n/2%2) // to and fro, for each gateway
	r.move(r.at)
	r.coat, r.cast = 0, false
	r.say(msg.OpSetSelection, &msg.SetSelection{GUID: r.guid})
	r.orders(msg.ChatSay, fmt.Sprint(".cooldown ", r.g.step))
	r.say(msg.OpCastSpell, &msg.CastSpell{Spell: r.g.step})
	for _, order := range []string{fmt.Sprint("aura ", r.g.coat), fmt.Sprint("additem ", r.g.gift), "modify money 7"} {
		r.orders(msg.ChatSay, "."+order)
	}
	if r.fights {
		r.say(msg.OpSetSelection, &msg.SetSelection{GUID: r.foe})
		r.has("is hit by what it fights", func() bool {
			return r.target(r.foe) == r.guid && r.target(r.guid) == r.foe && r.field(r.guid, healthField) < r.field(r.guid, maxHealthField)
		})
	}
	r.has("has what it got", func() bool { return r.field(r.guid, coinageField) == money+7 && r.coat != 0 && r.cast })
	self, _ := r.sight.Self()
	r.before, r.was = slices.Clone(self.Words), r.at
	r.foeWas, r.coatWas = r.field(r.foe, healthField), r.coat
}

// ends wants its connection to end.
func (r *returning) ends() {
	t := r.g.t
	t.Helper()
	r.socket.SetReadDeadline(time.Now().Add(patience))
	for b := make([]byte, 64<<10); ; {
		if _, err := r.socket.Read(b); os.IsTimeout(err) {
			t.Fatalf("%s: the connection with a gateway that was killed does not end", r.account)
		} else if err != nil {
			break
		}
	}
	r.socket.Close()
}

// isAsBefore compares it with what it was when it was lost.
func (r *returning) isAsBefore() {
	t := r.g.t
	t.Helper()
	if r.at != r.was {
		t.Errorf("%s was at %+v, and is at %+v", r.account, r.was, r.at)
	}
	now, _ := r.sight.Self()
	var differ []string
	for i := range max(len(now.Words), len(r.before)) {
		is, was := word(now.Words, i), word(r.before, i)
		if is != was && !(r.fights && i >= healthField && i <= healthField+7) { // what a fight changes: health and powers
			differ = append(differ, fmt.Sprintf("%#x: %d was %d", i, is, was))
		}
	}
	if len(differ) > 0 {
		t.Errorf("%s has other fields: %s", r.account, strings.Join(differ, ", "))
	}
	r.has("has its aura", func() bool { return r.coat != 0 })
	if r.coat > r.coatWas {
		t.Errorf("%s: its aura has %d ms left, and had %d", r.account, r.coat, r.coatWas)
	}
	if !slices.ContainsFunc(r.waits, func(c msg.Cooldown) bool { return c.Spell == r.g.step && c.Ms > 0 && c.Ms < 180_000 }) {
		t.Errorf("%s: its cooldowns are %+v", r.account, r.waits)
	}
	if !r.fights {
		return
	}
	r.g.fights++
	health := word(now.Words, healthField)
	if health == 0 || health > word(r.before, healthField) || r.field(r.foe, healthField) > r.foeWas || r.target(r.foe) != r.guid {
		t.Errorf("%s has %d health of %d; what fights with it has %d of %d, and the target %#x", r.account, health, word(r.before, healthField),
			r.field(r.foe, healthField), r.foeWas, r.target(r.foe))
	}
	r.has("is hit again", func() bool { return r.field(r.guid, healthField) < health })
}

func word(words []uint32, i int) uint32 {
	if i < len(words) {
		return words[i]
	}
	return 0
}

// sees wants another client, which has stayed, to see a player that came back as that sees itself.
func (r *returning) sees(other *returning) {
	r.g.t.Helper()
	fields := []int{targetField, targetField + 1, healthField, maxHealthField, levelField}
	r.has("sees "+other.account+" as it is", func() bool {
		other.reads()
		return !slices.ContainsFunc(fields, func(i int) bool { return r.field(other.guid, i) != other.field(other.guid, i) })
	})
	if v := r.sight.Violations(); v.Total() != 0 {
		r.g.t.Errorf("%s was sent what breaks a rule: %+v %q", r.account, v, r.sight.Texts())
	}
}

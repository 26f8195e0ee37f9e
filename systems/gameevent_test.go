package systems

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/internal/testseed"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/change"
	"muster/net/replication/frame"
	"muster/systems/rules"
)

// noon is when the tests of game events begin, Unix seconds: 2026-12-24 12:00:00.
const noon = 1_798_113_600

// fair is a meadow of standing creatures with two events: 3 is on every hour for ten minutes from 12:01 to 15:00, 8 on request.
func fair(points ...defs.EventSpawn) *defs.World {
	d := meadow(rand.New(rand.NewPCG(1, 1)), 0, 0)
	d.GameEvents = []defs.GameEvent{
		{ID: 3, Name: "Fair", Calendar: defs.Calendar{Start: noon + 60, End: noon + 3*3600, EveryMin: 60, ForMin: 10}},
		{ID: 8, Name: "Siege"},
	}
	m := &d.Maps[0]
	m.EventSpawns = points
	for i := range 6 {
		m.Spawns = append(m.Spawns, defs.Spawn{Entry: 7, X: 10 + 5*float32(i), Path: -1, RespawnMs: 2000})
	}
	return d
}

// date gives the world of the next tick the date.
func (r *reserve) date(at int64) {
	r.world.Inbox().Add(frame.Item{Session: frame.NoSession, Op: frame.OpDate, Body: msg.Append(nil, wire.V12340, &frame.Date{UnixMs: uint64(at) * 1000})})
}

// pass runs ticks of 50 ms for a time.
func (r *reserve) pass(d time.Duration) {
	for range d / (50 * time.Millisecond) {
		r.tick()
	}
}

// here lists the spawn points that have a living creature.
func (r *reserve) here() (points []uint32) {
	for point := range r.living() {
		points = append(points, point)
	}
	slices.Sort(points)
	return points
}

// An event begins and ends with the date, and not before: its creatures are there during it, and those that are missing then
// are not. What is dead or dormant when it ends does not come back.
func TestGameEvent(t *testing.T) {
	d := fair(defs.EventSpawn{Point: 1}, defs.EventSpawn{Point: 2, Away: true}, defs.EventSpawn{Point: 3}, defs.EventSpawn{Point: 3, Event: 1},
		defs.EventSpawn{Point: 4}, defs.EventSpawn{Point: 4, Event: 1, Away: true})
	d.Maps[0].Spawns = append(d.Maps[0].Spawns, defs.Spawn{Entry: 7, X: 9000, Path: -1}) // that nothing sees
	d.Maps[0].EventSpawns = append(d.Maps[0].EventSpawns, defs.EventSpawn{Point: 6})
	r := newReserve(t, d, 1)
	r.enter(1, 0, 0)
	see := func(what string, want ...uint32) {
		t.Helper()
		if got := r.here(); !slices.Equal(got, want) {
			t.Errorf("%s, tick %d: there are %v, want %v", what, r.n, got, want)
		}
	}
	happen := func(kind uint8, event uint32) {
		t.Helper()
		if h := r.frame.Happenings; len(h) != 1 || h[0].Kind != kind || h[0].ID != event {
			t.Errorf("tick %d: %+v, want kind %d of event %d", r.n, h, kind, event)
		}
	}
	r.pass(time.Second)
	see("without a date", 0, 2, 5)
	r.date(noon)
	r.pass(59 * time.Second)
	see("before it begins", 0, 2, 5)
	r.pass(time.Second)
	see("a tick before it begins", 0, 2, 5)
	r.tick() // a minute after that of the date
	happen(change.HappenedEventBegin, 3)
	r.tick()
	see("once it has begun", 0, 1, 3, 4, 5)

	for point, e := range r.living() {
		if point == 1 || point == 3 {
			r.kill(e)
		}
	}
	r.pass(time.Second)
	see("after two deaths", 0, 4, 5)
	r.pass(2 * time.Second)
	see("after their respawn", 0, 1, 3, 4, 5)
	ask(r.world, rules.SetGameEvent{Event: 1, On: true})
	r.tick()
	r.tick()
	see("during both", 0, 1, 3, 5)
	r.pass(10*time.Minute - 5*time.Second - 50*time.Millisecond)
	kill := r.living()[1]
	r.kill(kill)
	r.pass(2 * time.Second)
	if n := r.metric.Counter("gameevent.ended").Value(); n != 1 {
		t.Errorf("%d events have ended", n)
	}
	r.pass(10 * time.Second) // longer than the respawn of what was dead when it ended
	see("after the first", 0, 2, 3, 5)
	if r.world.ecs.Exists(kill) {
		t.Error("a body stays after its event")
	}
	ask(r.world, rules.SetGameEvent{Event: 1, On: false})
	r.tick()
	happen(change.HappenedEventEnd, 8)
	r.tick()
	see("after both", 0, 2, 5)
	r.leave(1)
	r.tick()
	r.enter(2, 9000, 0)
	r.pass(time.Second)
	if got := r.here(); slices.Contains(got, 6) {
		t.Errorf("a point that no event brings has a creature: %v", got)
	}
	r.date(noon + 3600 + 60)
	r.tick()
	r.tick()
	if got := r.here(); !slices.Contains(got, 6) {
		t.Errorf("at its second time there are %v", got)
	}
	if n, m := r.metric.Counter("gameevent.begun").Value(), r.metric.Counter("gameevent.ended").Value(); n != 3 || m != 2 {
		t.Errorf("%d have begun and %d have ended", n, m)
	}
}

// A date that is corrected back by less than a minute ends nothing that has just begun; one that is set back by more counts.
func TestDateGoesBack(t *testing.T) {
	r := newReserve(t, fair(), 1)
	on := func(want bool) {
		t.Helper()
		r.tick()
		if got := ecs.Shared[rules.GameEvents](r.world.ecs).All[0].On; got != want {
			t.Errorf("tick %d: the event is on: %v", r.n, got)
		}
	}
	r.date(noon + 60)
	on(true)
	r.date(noon + 1)
	on(true)
	r.date(noon)
	on(false)
	r.date(noon + 3*3600 - 60*50 - 1)
	on(true)
	r.date(noon + 3*3600 + 60)
	on(false)
}

// Whatever happens to creatures and events, and whichever players look on, a point that no event brings has no creature from the tick after its
// event has ended on, and the others have theirs again; no GUID is in use twice.
func TestGameEventsAlwaysHold(t *testing.T) {
	seed := testseed.Of(t)
	dice := rand.New(rand.NewPCG(seed, 9))
	var points []defs.EventSpawn
	for point := range uint32(6) {
		for event := range uint32(2) {
			if dice.IntN(3) > 0 {
				points = append(points, defs.EventSpawn{Point: point, Event: event, Away: dice.IntN(3) == 0})
			}
		}
	}
	r := newReserve(t, fair(points...), seed)
	events := ecs.Shared[rules.GameEvents](r.world.ecs)
	wanted := func(point uint32) bool {
		brings, on := false, false
		for _, it := range points {
			switch {
			case it.Point != point:
			case it.Away && events.All[it.Event].On:
				return false
			case !it.Away:
				brings, on = true, on || events.All[it.Event].On
			}
		}
		return on || !brings
	}
	there := false
	r.date(noon)
	for range 3000 {
		if dice.IntN(40) == 0 {
			if there = !there; there {
				r.enter(1, 0, 0)
			} else {
				r.leave(1)
			}
		}
		if dice.IntN(20) == 0 {
			ask(r.world, rules.SetGameEvent{Event: uint32(dice.IntN(2)), On: dice.IntN(2) == 0})
		}
		switch living := r.living(); dice.IntN(10) {
		case 0:
			if e, ok := living[uint32(dice.IntN(6))]; ok {
				r.kill(e)
			}
		case 1:
			if dice.IntN(10) == 0 {
				ask(r.world, rules.RespawnAll{})
			}
		}
		r.tick()
		if dice.IntN(30) == 0 {
			r.tick()
			for point := range r.living() {
				if !wanted(point) {
					t.Fatalf("tick %d: point %d has a creature; %+v with %+v", r.n, point, points, events.All)
				}
			}
		}
	}
	if !there {
		r.enter(2, 0, 0)
	}
	r.pass(10 * time.Second)
	for point := range uint32(6) {
		if _, ok := r.living()[point]; ok != wanted(point) {
			t.Errorf("at the end point %d has a creature: %v; %+v with %+v", point, ok, points, events.All)
		}
	}
}

// An event that is on without a break, and is ended, does not begin again by itself.
func TestEventStopsForGood(t *testing.T) {
	d := fair()
	d.GameEvents[0].Calendar = defs.Calendar{Start: noon, EveryMin: 10, ForMin: 10}
	r := newReserve(t, d, 1)
	state := &ecs.Shared[rules.GameEvents](r.world.ecs).All[0]
	r.date(noon)
	r.pass(time.Second)
	if !state.On {
		t.Error("it is not on")
	}
	ask(r.world, rules.SetGameEvent{Event: 0})
	r.pass(time.Second)
	r.date(noon + 3600)
	r.pass(time.Second)
	if state.On {
		t.Error("it has begun again")
	}
	ask(r.world, rules.SetGameEvent{Event: 0, On: true})
	r.pass(time.Second)
	if !state.On {
		t.Error("it has not begun on request")
	}
}

// Events of points that are not there or of a pool are refused at the start.
func TestInvalidEventSpawns(t *testing.T) {
	for _, it := range []defs.EventSpawn{{Point: 6}, {Event: 2}, {Point: 5}} {
		d := fair(it)
		d.Maps[0].Pools = []defs.Pool{{Limit: 1, Members: []defs.PoolMember{{Index: 5}}}}
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); got != fmt.Sprintf("respawn: event spawn 0 of map 0 \"\" is not valid: %+v", it) {
					t.Errorf("%+v: %s", it, got)
				}
			}()
			newReserve(t, d, 1)
		}()
	}
}

// The verbs about game events say what is on and when, and begin and end events, whatever the calendar says.
//
// Source: command.sql, AzerothCore, for the verbs but event list.
func TestEventVerbs(t *testing.T) {
	c := courtOfEvents(t)
	for _, say := range []struct{ line, want string }{
		{".event list", "3 - Fair|8 - Siege"},
		{".event list si", "8 - Siege"},
		{".event list sea", "There is nothing of that name."},
		{".event activelist", "0 game events are on."},
		{".event info 3", "3 - Fair is off.|From 2026-12-24 12:01:00 until 2026-12-24 15:00:00, every 60 minutes for 10 minutes.|It begins 2026-12-24 12:01:00."},
		{".event info 8", "8 - Siege is off.|It begins and ends with event start and event stop."},
		{".event info 4", "There is no such game event."},
		{".event stop 3", "It is not on."},
		{".event start", "Use: event start #event_id"},
		{".event start 3 4", "Use: event start #event_id"},
		{".event start 3", "Fair begins."},
		{".event start |cffffffff|Hgameevent:3|h[Fair]|h|r", "It is on already."},
		{".event start 8", "Siege begins."},
		{".event activelist", "3 - Fair|8 - Siege|2 game events are on."},
		{".event list fair", "3 - Fair [active]"},
		{".event info 3", "3 - Fair is on.|From 2026-12-24 12:00:00 until 2026-12-24 15:00:00, every 60 minutes for 10 minutes.|It ends 2026-12-24 12:10:00."},
		{".event stop 3", "Fair ends."},
		{".event info 3", "3 - Fair is off.|From 2026-12-24 11:50:00 until 2026-12-24 15:00:00, every 60 minutes for 10 minutes.|It begins 2026-12-24 12:50:00."},
		{".event stop 8", "Siege ends."},
		{".event activelist", "0 game events are on."},
	} {
		if got := strings.Join(c.do(say.line), "|"); got != say.want {
			t.Errorf("%s: %q, want %q", say.line, got, say.want)
		}
	}
	c.date(noon + 3*3600 + 60)
	c.do(".event start 3") // after its end: once more
	if got := strings.Join(c.do(".event info 3"), "|"); got != "3 - Fair is on.|From 2026-12-24 15:01:00 until 2026-12-24 15:11:00, every 60 minutes for 10 minutes.|It ends 2026-12-24 15:11:00." {
		t.Error(got)
	}
	c.date(noon + 3*3600 + 660)
	if got := strings.Join(c.do(".event info 3"), "|"); got != "3 - Fair is off.|From 2026-12-24 15:01:00 until 2026-12-24 15:11:00, every 60 minutes for 10 minutes.|It stays so." {
		t.Error(got)
	}
}

// courtOfEvents is a court in the world of the tests of game events, at noon.
func courtOfEvents(t *testing.T) *court {
	c := courtOf(t, Config{}, func(d *defs.World) { d.GameEvents = fair().GameEvents })
	c.date(noon)
	return c
}

// date gives the world the date.
func (c *court) date(at int64) {
	c.world.Inbox().Add(frame.Item{Session: frame.NoSession, Op: frame.OpDate, Body: msg.Append(nil, wire.V12340, &frame.Date{UnixMs: uint64(at) * 1000})})
	c.step()
}

// The respawn that a death is due for ends with the event of its creature: in the next occurrence it does not count.
func TestRespawnEndsWithItsEvent(t *testing.T) {
	d := fair(defs.EventSpawn{Point: 1, Event: 1})
	d.Maps[0].Spawns[1].RespawnMs = 10_000
	r := newReserve(t, d, 1)
	r.enter(1, 0, 0)
	set := func(on bool) {
		ask(r.world, rules.SetGameEvent{Event: 1, On: on})
		r.pass(time.Second)
	}
	kill := func() { r.kill(r.living()[1]) }
	r.pass(time.Second)
	set(true)
	kill()
	set(false) // 1 s after the death
	set(true)  // 2 s
	kill()     // respawn after 12 s
	r.pass(9500 * time.Millisecond)
	if slices.Contains(r.here(), 1) {
		t.Error("the first death's respawn is the second one's")
	}
	r.pass(time.Second)
	if !slices.Contains(r.here(), 1) {
		t.Error("the second death has no respawn")
	}
}

// Game objects are there during their events, or missing then, and a consumed one does not come back once its event is over.
func TestEventObjects(t *testing.T) {
	d := fair()
	m := &d.Maps[0]
	d.GameObjects = []defs.GameObject{{Entry: 40, Type: defs.ObjectGoober, Size: 1}}
	for i := range 3 {
		m.Objects = append(m.Objects, defs.ObjectSpawn{Entry: 40, X: 5 * float32(i), Rotation: [4]float32{3: 1}, Parent: [4]float32{3: 1}, RespawnMs: 2000})
	}
	m.EventObjects = []defs.EventSpawn{{Point: 1, Event: 1}, {Point: 2, Event: 1, Away: true}}
	r := newReserve(t, d, 1)
	r.enter(1, 0, 0)
	see := func(what string, want ...uint32) {
		t.Helper()
		var got []uint32
		for i := range m.Objects {
			if r.world.ecs.Exists(r.space.Find(components.GameObjectGUID(40, 0x800000+uint32(i)))) {
				got = append(got, uint32(i))
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: there are %v, want %v", what, got, want)
		}
	}
	r.pass(time.Second)
	see("before", 0, 2)
	for range 2 {
		ask(r.world, rules.SetGameEvent{Event: 1, On: true})
		r.pass(time.Second)
		see("during the event", 0, 1)
		ask(r.world, rules.SetGameEvent{Event: 1, On: false})
		r.pass(time.Second)
		see("after it", 0, 2)
	}
	ask(r.world, rules.SetGameEvent{Event: 1, On: true})
	r.pass(time.Second)
	ask(r.world, rules.DespawnObject{Entity: r.space.Find(components.GameObjectGUID(40, 0x800001)), Consumed: true})
	r.pass(time.Second)
	see("after it was consumed", 0)
	ask(r.world, rules.SetGameEvent{Event: 1, On: false})
	r.pass(5 * time.Second)
	see("after the time of its respawn", 0, 2)
	next := *d
	next.Maps = slices.Clone(d.Maps)
	next.Maps[0].EventObjects = []defs.EventSpawn{{Point: 0, Event: 1}}
	r.replace(defs.PartEvents, &next)
	r.pass(time.Second)
	see("with other rows", 1, 2)
}

// World events begin when all those before them have had their time, which begins when nothing is needed any more; one that needs something waits for
// its end by a game master, after which all begins anew.
func TestWorldEvents(t *testing.T) {
	t.Parallel()
	d := fair()
	d.GameEvents = []defs.GameEvent{
		{ID: 2, Name: "Muster", World: true, Calendar: defs.Calendar{ForMin: 10}},
		{ID: 3, Name: "March", World: true, Calendar: defs.Calendar{ForMin: 5}, After: []uint32{2}},
		{ID: 4, Name: "Battle", World: true, Calendar: defs.Calendar{ForMin: 5}, After: []uint32{2, 3}, Needs: 7},
		{ID: 5, Name: "Peace", World: true, Calendar: defs.Calendar{ForMin: 5}, After: []uint32{4}},
	}
	r := newReserve(t, d, 1)
	r.enter(1, 0, 0)
	events := ecs.Shared[rules.GameEvents](r.world.ecs)
	see := func(what string, want ...uint32) {
		t.Helper()
		var on []uint32
		for i := range events.All {
			if events.All[i].On {
				on = append(on, events.All[i].ID)
			}
		}
		if !slices.Equal(on, want) {
			t.Errorf("%s: %v are on, want %v", what, on, want)
		}
	}
	r.date(noon)
	r.pass(time.Hour)
	see("nothing begins by itself")
	ask(r.world, rules.SetGameEvent{Event: 0, On: true})
	r.pass(time.Second)
	see("on request", 2)
	r.pass(10*time.Minute - 3*time.Second)
	see("before its time is over", 2)
	r.pass(4 * time.Second)
	see("after that", 3)
	r.pass(5 * time.Minute)
	see("after both", 4)
	r.pass(time.Hour)
	see("as long as it needs something", 4)
	ask(r.world, rules.SetGameEvent{Event: 2, On: false})
	r.pass(time.Second)
	see("what was before it has had its time: it begins again", 4)
	ask(r.world, rules.SetGameEvent{Event: 0, On: false})
	ask(r.world, rules.SetGameEvent{Event: 2, On: false})
	r.pass(time.Minute)
	see("when the first waits again")
	if p := [...]rules.EventPhase{events.All[0].Phase, events.All[1].Phase, events.All[2].Phase, events.All[3].Phase}; p != [...]rules.EventPhase{rules.EventWaits, rules.EventOver, rules.EventWaits, rules.EventWaits} {
		t.Errorf("their phases are %v", p)
	}
}

// Creatures show other services, models and weapons during events, also those that spawn then, and their own after them.
func TestEventLooks(t *testing.T) {
	d := fair()
	m := &d.Maps[0]
	d.Creatures[0].NPCFlags, d.Creatures[0].Look.Items = components.NPCGossip, [3]uint32{30}
	entry := d.Creatures[0].Entry
	m.Spawns = []defs.Spawn{{Entry: entry, X: 10, Path: -1, RespawnMs: 2000}}
	m.EventLooks = []defs.EventLook{
		{Point: 0, Event: 0, NPCFlags: components.NPCVendor, Display: 77}, {Point: 0, Event: 1, Display: 78, Armed: true, Items: [3]uint32{31, 32}},
	}
	r := newReserve(t, d, 1)
	r.enter(1, 0, 0)
	stances := ecs.NewAccessor[components.Stance](r.world.ecs)
	see := func(what string, flags, display uint32, items ...uint32) {
		t.Helper()
		e := r.only(t)
		unit := r.units.Get(e)
		if got := stances.Get(e).NPCFlags; got != flags || unit.DisplayID != display || !slices.Equal(unit.VirtualItem[:], append(items, make([]uint32, 3-len(items))...)) {
			t.Errorf("%s: flags %#x, model %d, items %v", what, got, unit.DisplayID, unit.VirtualItem)
		}
	}
	own := d.Creatures[0].DisplayID
	r.pass(time.Second)
	see("before", components.NPCGossip, own, 30)
	ask(r.world, rules.SetGameEvent{Event: 0, On: true})
	r.pass(time.Second)
	see("in the first", components.NPCGossip|components.NPCVendor, 77, 30)
	ask(r.world, rules.SetGameEvent{Event: 1, On: true})
	r.pass(time.Second)
	see("in both", components.NPCGossip|components.NPCVendor, 78, 31, 32)
	r.kill(r.only(t))
	r.pass(4 * time.Second)
	see("the next one", components.NPCGossip|components.NPCVendor, 78, 31, 32)
	ask(r.world, rules.SetGameEvent{Event: 0, On: false})
	r.pass(time.Second)
	see("in the second", components.NPCGossip, 78, 31, 32)
	next := *d
	next.Maps = slices.Clone(d.Maps)
	next.Maps[0].EventLooks = []defs.EventLook{{Point: 0, Event: 1, NPCFlags: components.NPCTrainer}}
	r.replace(defs.PartEvents, &next)
	r.pass(time.Second)
	see("with other rows", components.NPCGossip|components.NPCTrainer, own, 30)
	next.Maps[0].EventLooks = nil
	r.replace(defs.PartEvents, &next)
	r.pass(time.Second)
	see("without rows", components.NPCGossip, own, 30)
}

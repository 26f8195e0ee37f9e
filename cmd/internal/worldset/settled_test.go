package worldset

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"testing"

	"muster/cmd/internal/release"
	"muster/cmd/internal/worldspec"
	"muster/components/defs"
	"muster/components/life"
	"muster/internal/metric"
	"muster/loaders/store"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/net/replication/recording"
	"muster/net/replication/worldlog"
	"muster/systems"
)

// A roster is a store of characters by GUID, and notes what is saved.
type roster struct {
	store.Store
	characters map[uint64]store.Character
	saved      map[uint64]store.Snapshot
}

func (r *roster) Character(_ context.Context, guid uint64) (store.Character, error) {
	c, ok := r.characters[guid]
	if !ok {
		return c, store.ErrNotFound
	}
	return c, nil
}

func (r *roster) Save(together []store.Snapshot, done func()) {
	for _, s := range together {
		r.saved[s.GUID] = s
	}
	done()
}

// A steered world reads what a test gives it.
type steered struct {
	t     *testing.T
	world *systems.World
	n     uint64
	frame frame.Frame
	log   *worldlog.Log // nil if it is not kept
}

func (s *steered) tick(items ...frame.Item) {
	s.t.Helper()
	in := s.world.Inbox()
	for _, it := range items {
		if err := in.Add(it); err != nil {
			s.t.Fatal(err)
		}
	}
	in.Seal()
	s.n++
	if s.log != nil {
		s.log.Append(s.n, in)
	}
	s.world.Tick(s.n, &s.frame)
}

// enter has a character enter that the store has as its first version, without belongings.
func (s *steered) enter(session uint32) {
	s.tick(frame.Item{Session: session, Op: frame.OpEnter, Body: msg.Append(nil, wire.V12340, newcomer(session))})
}

func newcomer(session uint32) *frame.Character {
	return &frame.Character{GUID: uint64(session), Name: "Anna", Race: 1, Class: 1, Level: 1, Version: 1}
}

// leave has a character leave, and returns it.
func (s *steered) leave(session uint32) (c frame.Character) {
	s.t.Helper()
	s.tick(frame.Item{Session: session, Op: frame.OpLeave})
	if len(s.frame.Left) != 1 {
		s.t.Fatalf("%d have left", len(s.frame.Left))
	}
	if err := msg.Decode(wire.V12340, s.frame.In(s.frame.Left[0].Character), &c); err != nil {
		s.t.Fatal(err)
	}
	return c
}

func lease(first, count uint32) frame.Item {
	return frame.Item{Session: frame.NoSession, Op: frame.OpLease, Body: msg.Append(nil, wire.V12340, &frame.Lease{First: first, Count: count})}
}

// newWorldOf is the header of a synthetic world of no creatures, and what makes it.
func newWorldOf(t *testing.T) (h recording.Header, fresh func() *systems.World) {
	t.Helper()
	h = recording.Header{Release: release.Name(), Toolchain: release.Toolchain(), Seed: 1, Start: "one", StepMs: 50, Reclaim: "anywhere", XPRate: 1}
	d, err := worldspec.NewDefs(h.Seed, h.Creatures, h.Start)
	if err != nil {
		t.Fatal(err)
	}
	return h, func() *systems.World { return worldspec.NewWorld(&h, d, new(metric.Table)) }
}

// A world that is continued has its players saved, those who are inside and those who have left since the snapshot, and
// asks for GUIDs of items anew, since what it had asked for is not answered any more.
func TestContinuedWorldIsSettled(t *testing.T) {
	t.Parallel()
	h, fresh := newWorldOf(t)
	var err error
	s, folder := &steered{t: t, world: fresh()}, t.TempDir()
	if s.log, err = worldlog.Begin(worldlog.Config{Folder: folder, Header: h, State: s.world.CopySnapshot, Every: 1 << 30}, 0); err != nil {
		t.Fatal(err)
	}
	const stays, leaves, deleted, newer = 1, 2, 3, 4
	s.tick(lease(100, 60)) // fewer than it wants: it asks again, and that is not answered
	for _, session := range []uint32{stays, leaves, deleted, newer} {
		s.enter(session)
	}
	s.tick()
	left := s.leave(leaves)
	s.leave(deleted)
	s.leave(newer)
	if len(left.Items) == 0 || left.Version <= 1 {
		t.Fatalf("has left with %d items, as version %d", len(left.Items), left.Version)
	}
	last := s.n

	r := &roster{characters: make(map[uint64]store.Character), saved: make(map[uint64]store.Snapshot)}
	for _, session := range []uint32{stays, leaves, newer} {
		r.characters[uint64(session)] = store.FromFrame(newcomer(session))
	}
	c := r.characters[newer]
	c.Version = 1000
	r.characters[newer] = c
	k := &Logs{folder: folder, store: r, saver: r, metric: new(metric.Table), log: slog.New(slog.DiscardHandler)}
	again := &steered{t: t, world: fresh()}
	if again.n, err = k.restore(0, &h, again.world); err != nil || again.n != last+1 {
		t.Fatalf("is continued after tick %d: %v; want %d, for the leaving", again.n, err, last+1)
	}
	if guids := slices.Sorted(maps.Keys(r.saved)); !slices.Equal(guids, []uint64{stays, leaves}) {
		t.Errorf("characters %v are saved", guids)
	}
	if got := r.saved[leaves]; got.Version != left.Version || got.Since != 1 || !slices.Equal(got.Items, left.Items) || got.X != left.X {
		t.Errorf("saved is %+v, of %+v that has left", got, left)
	}
	if n := again.world.Players(); n != 0 {
		t.Errorf("%d players are inside", n)
	}
	again.tick()
	if again.frame.Wants == 0 {
		t.Error("it asks for no GUIDs")
	}
	again.tick(lease(9000, 60))
	again.enter(5)
	again.tick()
	if c := again.leave(5); len(c.Items) != len(left.Items) || uint32(c.Items[0].GUID) < 9000 {
		t.Errorf("it gives %+v", c.Items)
	}
	if err := s.log.Discard(); err != nil {
		t.Error(err)
	}
}

// A player that an event concerns in the tick in which it is taken out of a world is removed in a later one. It is saved too, and is no longer inside.
func TestSettledInTheMidstOfEvents(t *testing.T) {
	t.Parallel()
	h := recording.Header{Release: release.Name(), Toolchain: release.Toolchain(), Seed: 1, Start: "one", StepMs: 50, Reclaim: "anywhere", XPRate: 1}
	d, err := worldspec.NewDefs(h.Seed, h.Creatures, h.Start)
	if err != nil {
		t.Fatal(err)
	}
	heal := d.Spells[slices.IndexFunc(d.Spells, func(s defs.Spell) bool { return s.CastMs > 0 && s.Effects[0].Kind == defs.EffectHeal })]
	fresh := func() *systems.World { return worldspec.NewWorld(&h, d, new(metric.Table)) }
	s, folder := &steered{t: t, world: fresh()}, t.TempDir()
	if s.log, err = worldlog.Begin(worldlog.Config{Folder: folder, Header: h, State: s.world.CopySnapshot, Every: 1 << 30}, 0); err != nil {
		t.Fatal(err)
	}
	const casts, stands = 1, 2
	c := newcomer(casts)
	c.Told, c.Class, c.Spells, c.Level, c.Health, c.Power = life.Spells, 5, []uint32{heal.ID}, 80, 1000, [7]uint32{1000}
	s.tick(frame.Item{Session: casts, Op: frame.OpEnter, Body: msg.Append(nil, wire.V12340, c)})
	s.enter(stands)
	s.tick(frame.Item{Session: casts, Op: msg.OpCastSpell, Body: msg.Append(nil, wire.V12340, &msg.CastSpell{Spell: heal.ID})})
	for range heal.CastMs/50 - 1 { // it is cast in the tick after these
		s.tick()
	}
	last := s.n

	r := &roster{characters: map[uint64]store.Character{}, saved: make(map[uint64]store.Snapshot)}
	for _, c := range []*frame.Character{c, newcomer(stands)} {
		r.characters[c.GUID] = store.FromFrame(c)
	}
	k := &Logs{folder: folder, store: r, saver: r, metric: new(metric.Table), log: slog.New(slog.DiscardHandler)}
	again := &steered{t: t, world: fresh()}
	if again.n, err = k.restore(0, &h, again.world); err != nil {
		t.Fatal(err)
	}
	if again.n < last+2 {
		t.Errorf("all have left in tick %d, the first: this is no test of those that events concern", again.n)
	}
	if guids := slices.Sorted(maps.Keys(r.saved)); !slices.Equal(guids, []uint64{casts, stands}) || again.world.Players() != 0 {
		t.Errorf("characters %v are saved, and %d players are inside", guids, again.world.Players())
	}
	if err := s.log.Discard(); err != nil {
		t.Error(err)
	}
}

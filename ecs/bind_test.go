package ecs

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

type clock struct{ Now uint32 }

type pair struct{}

func (pair) Components() []Type { return Of2[body, speed]() }

// inner is a part that several systems have in common.
type inner struct {
	tags   Write[tag]
	inited []string
}

func (p *inner) Init() { p.inited = append(p.inited, "inner") }

type everything struct {
	Bodies Read[body]
	speeds ReadRef[speed] `inplace:"this test"`
	part   inner
	clock  Res[clock]
	count  ResMut[uint64]
	out    Emit[tag]
	in     Events[body]
	each   EventReader[speed]
	asked  Requests[clock]
	spawn  Spawn[pair]
	fresh  Fill[speed]
	alive  Entities
	kill   Despawn
	walk   Query[body]
	ahead  Prefetch[pair]
	pairs  [2]Emit[uint32]
	plain  int
}

func (s *everything) Init() { s.part.inited = append(s.part.inited, "outer") }

// A system's access is what its fields name, each type once with all that they do, in their order.
func TestBindListsTheFields(t *testing.T) {
	w := NewWorld(4)
	Share(w, &clock{Now: 7})
	Share(w, new(uint64))
	s := new(everything)
	got := Bind(w, s)
	want := []Access{
		{reflect.TypeFor[body](), ModeFill}, {reflect.TypeFor[speed](), ModeFill}, {reflect.TypeFor[tag](), ModeWrite},
		{reflect.TypeFor[clock](), ModeRead}, {reflect.TypeFor[uint64](), ModeWrite},
		{reflect.TypeFor[pair](), ModeSpawn}, {reflect.TypeFor[Despawn](), ModeAppend}, {reflect.TypeFor[uint32](), ModeAppend},
	}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if want := []string{"inner", "outer"}; !slices.Equal(s.part.inited, want) {
		t.Errorf("prepared %v, want %v", s.part.inited, want)
	}
	e := s.spawn.Spawn()
	s.fresh.Get(e).X = 3
	if s.clock.Get().Now != 7 || s.speeds.Get(e).X != 3 || !s.alive.Exists(e) || s.spawn.Count() != 1 {
		t.Error("the fields do not reach the world")
	}
	in := s.alive.Archetypes()
	if len(in) != 1 || len(s.Bodies.Rows(in[0])) != 1 || !s.Bodies.Has(e) || s.part.tags.Has(e) || s.part.tags.Get(e) != nil {
		t.Fatalf("entity %v has other components than the fields say, in %d archetypes", e, len(in))
	}
	if rows := s.speeds.Rows(in[0]); rows[0].X != 3 || s.speeds.Row(rows, e) != 0 {
		t.Errorf("the rows are %v, and the entity is in row %d", rows, s.speeds.Row(rows, e))
	}
	s.out.Emit(tag{5})
	s.pairs[1].Emit(9)
	if got := QueueOf[tag](w).All(); !slices.Equal(got, []tag{{5}}) {
		t.Errorf("emitted %v", got)
	}
	if got := QueueOf[uint32](w).All(); !slices.Equal(got, []uint32{9}) {
		t.Errorf("emitted %v", got)
	}
	tagged := NewArchetype(w, Of[tag]()...).Spawn()
	s.part.tags.Get(tagged).N = 2
	*s.count.Get()++
	s.plain++
	QueueOf[clock](w).Next().Now = 3
	if s.in.All() != nil || len(s.each.Next()) != 0 || !slices.Equal(s.asked.Take(), []clock{{3}}) || s.walk.Count() != 1 {
		t.Error("events, requests and queries do not reach the world")
	}
	s.ahead.Of(e)
	s.kill.Despawn(e)
	w.EndStage()
	if s.alive.Exists(e) {
		t.Error("despawned, and still alive")
	}
}

// composed is a Param of its own that binds its fields.
type composed struct {
	bodies Read[body]
	tags   Write[tag]
}

func (c *composed) BindParam(w *World, tag reflect.StructTag) []Access {
	return append(c.bodies.BindParam(w, tag), c.tags.BindParam(w, tag)...)
}

// A struct may embed a Param that is all it has to bind, and a Param may have others as fields.
func TestBindWhatHoldsParams(t *testing.T) {
	w := NewWorld(4)
	want := []Access{{reflect.TypeFor[body](), ModeRead}, {reflect.TypeFor[tag](), ModeWrite}}
	if got := Bind(w, new(composed)); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	var s embedsOne
	got := Bind(w, &s)
	if want := []Access{{reflect.TypeFor[body](), ModeRead}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if e := NewArchetype(w, Of[body]()...).Spawn(); !s.Has(e) || s.plain != 0 {
		t.Error("an embedded field is not bound")
	}
}

type spawner struct {
	spawn Spawn[pair]
	fresh Fill[speed]
}

// A system fills in entities that it has spawned in this run, one by one or in a batch, and no others: neither those of
// an earlier run nor those of another system.
func TestFillsAreOfThisRun(t *testing.T) {
	w := NewWorld(4)
	var own, other spawner
	Bind(w, &own)
	Bind(w, &other)
	refused := func(what string, fill *Fill[speed], e Entity) {
		t.Helper()
		defer func() {
			if got, _ := recover().(string); !strings.Contains(got, "the ecs.speed of entity") {
				t.Errorf("filling %s panics with %q", what, got)
			}
		}()
		fill.Get(e)
	}
	first, second := own.spawn.Spawn(), own.spawn.Spawn()
	own.fresh.Get(first).X, own.fresh.Get(second).X = 1, 2
	own.spawn.SpawnBatch(3, func(i int, e Entity) { own.fresh.Get(e).X = float32(3 + i) })
	var xs []float32
	for _, row := range own.fresh.column.Rows(own.spawn.archetype) {
		xs = append(xs, row.X)
	}
	if want := []float32{1, 2, 3, 4, 5}; !slices.Equal(xs, want) {
		t.Errorf("filled in %v, want %v", xs, want)
	}
	refused("what another system has spawned", &other.fresh, first)
	refused("what an archetype has spawned", &own.fresh, own.spawn.archetype.Spawn())
	w.EndStage()
	refused("what an earlier run has spawned", &own.fresh, second)
	despawn := func(_ int, e Entity) { w.Despawn(e) }
	run := func() {
		own.spawn.SpawnBatch(2, despawn)
		w.Despawn(own.spawn.Spawn())
		w.EndStage()
	}
	run()
	if n := testing.AllocsPerRun(20, run); n != 0 {
		t.Errorf("a spawn allocates %v times", n)
	}
}

// What a Read gives is a copy.
func TestReadsAreCopies(t *testing.T) {
	w := NewWorld(4)
	var s struct{ bodies Read[body] }
	Bind(w, &s)
	e := NewArchetype(w, Of[body]()...).Spawn()
	b := s.bodies.Get(e)
	b.X = 4
	if s.bodies.Get(e).X != 0 {
		t.Error("a component was written through a Read")
	}
}

// embeds is a Param by the BindParam of its first field alone.
type embeds struct {
	Read[body]
	Speeds Read[speed]
}

type embedsPointer struct {
	Speeds [2]inner
	*ReadRef[body]
}

type embedsAndInits struct{ Read[body] }

func (*embedsAndInits) Init() {}

// embedsOne has nothing but what it embeds.
type embedsOne struct {
	Read[body]
	plain int
}

func TestBindRefuses(t *testing.T) {
	type large [MaxRead + 1]byte
	for _, c := range []struct {
		system any
		says   string
	}{
		{struct{}{}, "is not a pointer to a struct"},
		{new(struct{ r Read[large] }), "has 65 bytes, more than a Read copies"},
		{new(struct{ r ReadRef[body] }), "which a Read copies"},
		{new(struct{ r Res[clock] }), "no ecs.clock is shared"},
		{new(embeds), "ecs.embeds embeds ecs.Read[muster/ecs.body], so that its Speeds is not bound"},
		{new(struct{ part [1]embeds }), "ecs.embeds embeds ecs.Read[muster/ecs.body], so that its Speeds is not bound"},
		{new(embedsPointer), "ecs.embedsPointer embeds *ecs.ReadRef[muster/ecs.body], so that its Speeds is not bound"},
		{new(embedsAndInits), "ecs.embedsAndInits embeds ecs.Read[muster/ecs.body], so that its Init is not called"},
		{new(struct{ a, b Requests[tag] }), "two systems take the requests of ecs.tag"},
		{new(struct {
			a Events[tag]
			b EventReader[tag]
		}), "ecs.tag is read by Events and by an EventReader"},
		{new(struct {
			a EventReader[tag]
			b Events[tag]
		}), "ecs.tag is read by an EventReader and by Events"},
		{new(struct {
			a Events[tag]
			b Requests[tag]
		}), "ecs.tag is read by Events and by Requests"},
		{new(struct {
			a Requests[tag]
			b Events[tag]
		}), "ecs.tag is read by Requests and by Events"},
		{new(struct {
			a Requests[tag]
			b EventReader[tag]
		}), "ecs.tag is read by Requests and by an EventReader"},
		{new(struct {
			a EventReader[tag]
			b Requests[tag]
		}), "ecs.tag is read by an EventReader and by Requests"},
	} {
		func() {
			defer func() {
				if got, _ := recover().(string); !strings.Contains(got, c.says) {
					t.Errorf("%T: panics with %q, want %q", c.system, got, c.says)
				}
			}()
			Bind(NewWorld(1), c.system)
		}()
	}
}

// Two systems depend on their order if one writes what the other has, or reads what the other appends to.
func TestConflicts(t *testing.T) {
	of := reflect.TypeFor[body]()
	const r, a, s, f, w = ModeRead, ModeAppend, ModeSpawn, ModeFill, ModeWrite
	for _, c := range []struct {
		one, other Mode
		want       bool
	}{
		{r, r, false}, {r, a, true}, {r, s, true}, {r, w, true}, {a, a, false}, {a, s, true}, {a, w, true}, {s, s, true},
		{s, w, true}, {w, w, true}, {r, f, true}, {a, f, true}, {s, f, true}, {f, f, true}, {f, w, true},
	} {
		for _, x := range [][2]Mode{{c.one, c.other}, {c.other, c.one}} {
			if got := (Access{of, x[0]}).Conflict(Access{of, x[1]}); got != c.want {
				t.Errorf("%v and %v: %v, want %v", x[0], x[1], got, c.want)
			}
		}
	}
	if (Access{of, w}).Conflict(Access{reflect.TypeFor[tag](), w}) {
		t.Error("systems conflict over different types")
	}
}

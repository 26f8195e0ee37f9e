package systems

import (
	"reflect"
	"strings"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/systems/loot"
)

// shared lists the components, and the slabs of what they refer to, that several systems write, besides those that spawn, with the
// reason.
var shared = map[reflect.Type]string{
	reflect.TypeFor[components.Unit]():                  "unitfields; fanout derives the aura states from health, once a tick, when all that changes health has run",
	reflect.TypeFor[components.HomeCell]():              "the cell of an entity is set with its position or layer: by whatever moves, spawns, hides or despawns it (change.Cells)",
	reflect.TypeFor[components.Position]():              "teleports and speeds set it by an order, movement by a player's report, walksteps along walks",
	reflect.TypeFor[components.Motion]():                "movement keeps a player's last report; an order or the loss of its client ends what is in it",
	reflect.TypeFor[components.PendingMoveAcks]():       "each system of package movement notes its own orders, movement what is acknowledged",
	reflect.TypeFor[components.MoveValidation]():        "movecontrol notes which players may move themselves, movement validates; systems that give orders note what becomes valid by them",
	reflect.TypeFor[components.Unsaved]():               "a mark: systems set it (change.Unsaved), saveturns clears it",
	reflect.TypeFor[components.Record]():                "each field has one: death its own state, outfit that a character has begun, persist times and versions, fanout the leaving",
	reflect.TypeFor[components.Cooldowns]():             "castcosts begins the cooldown of a cast, cooldowns begins and ends those that other systems ask for",
	reflect.TypeFor[components.Progress]():              "experience and what the next level takes are experience's, coins are money's, and exchanges' when players exchange them for items, in one write",
	reflect.TypeFor[components.Inventory]():             "inventory makes, moves and removes items; exchanges writes what two players exchange at once, with the money for it",
	reflect.TypeFor[components.Observer]():              "the layers that a player sees: ghosts sets those of ghosts, gmmodes those of hidden game masters",
	reflect.TypeFor[components.Walk]():                  "creaturewalks begins and ends walks, wakes continues those of creatures that slept; systems of package movement by an order; walksteps moves along them",
	reflect.TypeFor[components.Spellbook]():             "spellbooks in its turn; lessons teaches what was paid for before the tick ends",
	reflect.TypeFor[components.Actions]():               "spellbooks sets buttons; a spell that replaces its lower rank takes its buttons, by spellbooks and lessons",
	reflect.TypeFor[components.AIState]():               "what a creature does in combat is handed on: by systems that begin fights to those that fight, flee and return",
	reflect.TypeFor[components.ChatThrottle]():          "chat of players is throttled by social, their emotes by emotes, commands in chat by gm",
	reflect.TypeFor[components.SpawnInfo]():             "what a creature does when idle: game masters change it by gmnpcs, its script by posts",
	reflect.TypeFor[components.Looting]():               "drops lists the bodies that are a player's, loot which one is open",
	reflect.TypeFor[ecs.Slab[components.Auras]]():       "appliedauras; mitigation takes from absorbing auras what they absorb, as the next damage of its round finds less; intake puts in those of a character, fanout frees those of an entity that it removes",
	reflect.TypeFor[ecs.Slab[components.ScriptState]](): "scripts; what an action sets is kept by the system that does it: talks, scriptmoves, scripttargets",
	reflect.TypeFor[loot.Bodies]():                      "drops fills bodies and removes them, loot takes from them",
}

// isData reports whether a type is a component, or a slab of what components refer to.
func isData(t reflect.Type) bool {
	return strings.HasSuffix(t.PkgPath(), "muster/components") || reflect.PointerTo(t).Implements(reflect.TypeFor[ecs.Blocks]())
}

// Each component has one system that writes it, besides those that spawn entities with it, or a reason. So has each slab.
func TestComponentsHaveOneWriter(t *testing.T) {
	d := &defs.World{Maps: []defs.Map{{Half: 1000}}}
	w := build(Config{Defs: d, Map: &d.Maps[0]})
	writers := make(map[reflect.Type][]string)
	for _, s := range bindSystems(w.ecs) {
		for _, a := range s.Access {
			if a.Mode == ecs.ModeWrite && isData(a.Type) {
				writers[a.Type] = append(writers[a.Type], s.Name)
			}
		}
	}
	if got := writers[reflect.TypeFor[components.Vitals]()]; len(got) != 1 || got[0] != "vitals" {
		t.Errorf("health is written by %q", got)
	}
	for of, names := range writers {
		if len(names) > 1 && shared[of] == "" {
			t.Errorf("%v is written by %q, for no reason", of, names)
		}
	}
	for of := range shared {
		if len(writers[of]) < 2 {
			t.Errorf("%v is written by %q: the reason is not needed", of, writers[of])
		}
	}
}

// Each type of event has a system that emits it and one that reads it.
func TestEventsHaveTwoEnds(t *testing.T) {
	d := &defs.World{Maps: []defs.Map{{Half: 1000}}}
	w := build(Config{Defs: d, Map: &d.Maps[0]})
	emitted, read := make(map[reflect.Type]bool), make(map[reflect.Type]bool)
	for _, s := range bindSystems(w.ecs) {
		for _, a := range s.Access {
			emitted[a.Type] = emitted[a.Type] || a.Mode != ecs.ModeRead
			read[a.Type] = read[a.Type] || a.Mode != ecs.ModeAppend
		}
	}
	types := w.EventTypes()
	if len(types) < 50 {
		t.Fatalf("%d types of events, fewer than the messages of clients", len(types))
	}
	for _, e := range types {
		if !emitted[e.Type] || !read[e.Type] {
			t.Errorf("%v is emitted by a system: %v; read by one: %v", e.Type, emitted[e.Type], read[e.Type])
		}
	}
}

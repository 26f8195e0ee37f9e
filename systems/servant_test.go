package systems

import (
	"math/rand/v2"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/systems/rules"
)

// A servant of a creature fights with it, and despawns when it dies.
func TestServantsOfCreatures(t *testing.T) {
	d := meadow(rand.New(rand.NewPCG(1, 1)), 0, 0)
	d.Maps[0].Spawns = []defs.Spawn{{Entry: 7, X: 10, Path: -1}}
	d.Creature(7).MaxHealth = 10_000
	d.Creature(7).MinHealth = 10_000
	r := newReserve(t, d, 1)
	r.enter(1, 0, 0)
	r.tick()
	r.tick()
	master := r.living()[0]
	*ecs.QueueOf[rules.Summon](r.world.ecs).Next() = rules.Summon{By: master, Entry: 7, At: components.Position{X: 12}}
	r.tick()
	var servant ecs.Entity
	for q := r.all.Iter(); q.Next(); {
		if q.Entity() != master {
			servant = q.Entity()
		}
	}
	combats, posts := newUnitStates(r.world.ecs), ecs.NewAccessor[components.SpawnInfo](r.world.ecs)
	if posts.Get(servant).Owner != master {
		t.Fatalf("it serves %v, want %v", posts.Get(servant).Owner, master)
	}
	player := r.space.Find(1)
	ask(r.world, rules.Engage{By: player, To: master})
	for range 40 {
		r.tick()
	}
	if combats.attacks.Get(master).Victim != player || combats.attacks.Get(servant).Victim != player {
		t.Errorf("they attack %v and %v, want %v", combats.attacks.Get(master).Victim, combats.attacks.Get(servant).Victim, player)
	}
	r.kill(master)
	for range 15 {
		r.tick()
	}
	if r.world.ecs.Exists(servant) {
		t.Error("it is there without its master")
	}
}

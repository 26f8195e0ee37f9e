package systems

import (
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/components/move"
	"muster/ecs"
	"muster/systems/rules"
)

// A creature that cannot reach its victim stands still, and evades after ten seconds.
func TestUnreachableFoeIsForgiven(t *testing.T) {
	r := newDen(t, 1, 1)
	r.hold(1, 15, 0)
	player, foe := r.space.Find(1), r.living()[0]
	ask(r.world, rules.Engage{By: player, To: foe})
	ask(r.world, move.Teleport{Entity: player, To: life.Place{X: 15, Z: 30}})
	for range 60 {
		r.tick()
	}
	walks, combats := ecs.NewAccessor[components.Walk](r.world.ecs), newUnitStates(r.world.ecs)
	if combats.attacks.Get(foe).Victim != player {
		t.Fatal("it does not attack")
	}
	set := walks.Get(foe).SplineID
	for range 100 {
		r.tick()
	}
	if n := walks.Get(foe).SplineID - set; n != 0 {
		t.Errorf("it has set out %d times in five seconds", n)
	}
	for range 100 {
		if r.tick(); combats.threats.Get(foe).Evading != 0 {
			return
		}
	}
	t.Error("it never gives up")
}

// A passive creature is in combat with its attacker, until it has not been hit for a while.
func TestPassiveCreatureIsLeftInPeace(t *testing.T) {
	r := newDen(t, 1, 1)
	r.world.config.Defs.Creatures[0].ReactState = defs.Passive
	r.hold(1, 15, 0)
	player, foe := r.space.Find(1), r.living()[0]
	ask(r.world, rules.Engage{By: player, To: foe})
	for range 100 {
		r.tick()
	}
	if !r.inCombat(player) || !r.inCombat(foe) {
		t.Error("no unit fights after five seconds")
	}
	for range 200 {
		r.tick()
	}
	if r.inCombat(player) || r.inCombat(foe) {
		t.Errorf("in combat after fifteen seconds: the player %v, the creature %v", r.inCombat(player), r.inCombat(foe))
	}
}

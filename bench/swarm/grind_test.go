package swarm

import (
	"math"
	"testing"
	"time"

	"muster/net/protocol/msg"
)

func TestLeg(t *testing.T) {
	l := leg{from: moment(time.Second), x: 10, y: 20, dirX: 1, length: 14, speed: 7}
	for _, c := range []struct {
		at      time.Duration
		x       float64
		arrived bool
	}{{time.Second, 10, false}, {2 * time.Second, 17, false}, {3 * time.Second, 24, true}, {time.Minute, 24, true}} {
		if x, y, arrived := l.at(moment(c.at)); x != c.x || y != 20 || arrived != c.arrived {
			t.Errorf("after %v at %v, %v, %v", c.at, x, y, arrived)
		}
	}
	l.hurry(&msg.Movement{X: 17, Y: 20}, moment(2*time.Second), 3.5)
	if x, _, arrived := l.at(moment(3 * time.Second)); x != 20.5 || arrived {
		t.Errorf("at half the speed at %v, %v", x, arrived)
	}
	if x, _, arrived := l.at(moment(4 * time.Second)); x != 24 || !arrived {
		t.Errorf("at the end at %v, %v", x, arrived)
	}
	if (&leg{}).running() {
		t.Error("no leg is run")
	}
}

func TestAngle(t *testing.T) {
	for _, c := range []struct{ dx, dy, want float64 }{{1, 0, 0}, {0, 1, math.Pi / 2}, {-1, 0, math.Pi}, {0, -1, 3 * math.Pi / 2}} {
		if got := angle(c.dx, c.dy); math.Abs(float64(got)-c.want) > 1e-6 {
			t.Errorf("angle of %v, %v is %v, want %v", c.dx, c.dy, got, c.want)
		}
	}
}

func TestPathOfTarget(t *testing.T) {
	p := path{fromX: 0, fromY: 10, toX: 8, toY: 10, began: 100, took: 4 * time.Second}
	for _, c := range []struct {
		after time.Duration
		x     float64
	}{{0, 0}, {time.Second, 2}, {4 * time.Second, 8}, {time.Hour, 8}} {
		if x, y := p.where(100 + moment(c.after)); x != c.x || y != 10 {
			t.Errorf("after %v at %v, %v", c.after, x, y)
		}
	}
}

func TestSpellBook(t *testing.T) {
	var k spells
	for id := uint32(1); id <= maxSpells+5; id++ {
		k.learn(id)
		k.learn(id)
	}
	if k.n != maxSpells {
		t.Fatalf("%d spells", k.n)
	}
	k.unlearn(3)
	k.unlearn(99)
	if k.find(3) != nil || k.n != maxSpells-1 || k.find(maxSpells) == nil {
		t.Errorf("after unlearning: %v", k.known[:k.n])
	}
}

// A spell that is refused twice for a reason that lasts is struck off; one that was only too early is not.
func TestSpellsAreLearntByTrying(t *testing.T) {
	r := &run{grinds: newGrinds()}
	c := new(client)
	k := &c.grinder.spells
	k.learn(7)
	k.learn(8)
	for range refusals {
		r.refusedCast(c, 7, msg.CastNotReady)
		r.refusedCast(c, 8, msg.CastBadTargets)
	}
	if k.find(7) == nil || k.find(8) != nil {
		t.Errorf("knows %v", k.known[:k.n])
	}
	if k.find(7).ready != moment(castLater) {
		t.Errorf("ready at %v", k.find(7).ready)
	}
	if got := r.grinds.castFailures.String(); got != "4 (bad targets: 2, not ready: 2)" {
		t.Errorf("failures %s", got)
	}
	if got := msg.CastResult(200).Words(); got != "result 200" {
		t.Errorf("reason %q", got)
	}
}

func TestKillsCountOnce(t *testing.T) {
	var g grinder
	g.kill(5)
	g.kill(5)
	g.kill(6)
	if g.deeds.kills != 2 || !g.wasKilled(5) || g.wasKilled(7) {
		t.Errorf("%d kills of %v", g.deeds.kills, g.killed)
	}
}

func TestHarvest(t *testing.T) {
	r := &run{grinds: newGrinds(), clients: make([]client, 4)}
	for i := range 3 { // the fourth did not get in
		r.clients[i].entered = true
		r.clients[i].grinder.deeds = deeds{kills: uint32(3 * i), copper: uint64(i)}
	}
	h := r.harvest()
	if want := (Spread{Total: 9, Least: 0, Median: 3, Some: 2}); h.Kills != want {
		t.Errorf("kills %+v, want %+v", h.Kills, want)
	}
	if h.Copper.Total != 3 || h.Swing.Count != 0 || h.Kills.String() != "9 (least 0, median 3)" {
		t.Errorf("harvest %+v", h)
	}
}

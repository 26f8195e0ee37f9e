package rules

import (
	"math"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/sched"
)

// The average that a unit resists, worked out by hand: of magic only, and nothing of what is holy.
//
// Source: Unit::GetEffectiveResistChance, AzerothCore.
func TestResistance(t *testing.T) {
	of := components.CombatStats{Resistance: [7]float32{500, 300, 100, 0, 60, 0, 15}}
	for _, c := range []struct {
		schools, level uint32
		want           float32
	}{
		{defs.SchoolFire, 20, 0.5}, {defs.SchoolFire, 80, 0.2}, {defs.SchoolFrost, 12, 0.5}, {defs.SchoolNature, 80, 0},
		{defs.SchoolPhysical, 20, 0}, {defs.SchoolHoly, 20, 0}, {defs.SchoolFire | defs.SchoolHoly, 20, 0},
		{defs.SchoolFire | defs.SchoolFrost, 20, 0.5}, {0, 20, 0},
	} {
		if got := Resistance(&of, c.schools, c.level); got != c.want {
			t.Errorf("of %#x to level %d it resists %v, want %v", c.schools, c.level, got, c.want)
		}
	}
}

// The chances of the tenths add up to one, and to the average that they stand for.
func TestResistedTenths(t *testing.T) {
	for _, average := range []float32{0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7} {
		var sum, mean float64
		for tenth := 0; tenth <= 10; tenth++ {
			p := float64(tenthChance(average, tenth))
			sum += p
			mean += p * float64(tenth) / 10
		}
		if math.Abs(sum-1) > 0.001 || math.Abs(mean-float64(average)) > 0.001 {
			t.Errorf("average %v: chances add up to %.3f, and stand for %.3f", average, sum, mean)
		}
	}
}

// Draws follow tenthChance.
func TestResistedDraws(t *testing.T) {
	const throws = 100_000
	dice := sched.Tick{N: 1, Seed: 1}.Dice("test", 1)
	var got [11]int
	for range throws {
		got[int(resisted(&dice, 0.3)*10+0.5)]++
	}
	for tenth, n := range got {
		want := float64(tenthChance(0.3, tenth)) * throws
		if math.Abs(float64(n)-want) > 5*math.Sqrt(want)+1 {
			t.Errorf("%d tenths were resisted %d times, want about %.0f", tenth, n, want)
		}
	}
	if resisted(&dice, 0) != 0 {
		t.Error("something is resisted without resistance")
	}
}

// Of damage, what is resisted is a part of it: of 1,000 some hundreds, 300 on average.
func TestResists(t *testing.T) {
	dice := sched.Tick{N: 1, Seed: 1}.Dice("test", 2)
	sum := 0.
	const throws = 20_000
	for range throws {
		part := Resists(&dice, 0.3, 1000)
		if rest := math.Mod(float64(part)+0.5, 100); part < 0 || part > 1000 || rest > 1 {
			t.Fatalf("of 1000, %v is resisted", part)
		}
		sum += float64(part)
	}
	if mean := sum / throws; math.Abs(mean-300) > 5 {
		t.Errorf("of 1000, %.1f is resisted on average, want 300", mean)
	}
}

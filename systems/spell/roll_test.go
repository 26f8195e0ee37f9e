package spell

import (
	"math"
	"testing"

	"muster/sched"
)

func TestHitPercent(t *testing.T) {
	// Source: Unit::MagicSpellHitResult, AzerothCore.
	for _, c := range []struct {
		levels int
		player bool
		want   float32
	}{{-5, false, 101}, {0, false, 96}, {2, false, 94}, {3, false, 83}, {3, true, 87}, {5, true, 73}, {8, false, 28}} {
		if got := hitPercent(c.levels, c.player); got != c.want {
			t.Errorf("%d levels above, player %v: %v %%, want %v", c.levels, c.player, got, c.want)
		}
	}
}

// The tenths that can be resisted have chances that add up to one, and to the average that they stand for.
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

// What is thrown is as likely as it should be.
func TestResistedIsThrownSo(t *testing.T) {
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

// The clock goes round in 49 days: what was to come then has passed now, and what is to come is so beyond its end.
func TestBefore(t *testing.T) {
	for _, c := range []struct {
		now, until uint32
		want       bool
		left       uint32
	}{
		{1000, 1001, true, 1}, {1000, 1000, false, 0}, {1000, 999, false, 0}, {1000, 0, false, 0},
		{math.MaxUint32 - 9, 90, true, 100}, {1000 + 1<<31, 1000, false, 0}, {1001 + 3<<30, 1000, false, 1<<30 - 1},
	} {
		if got := before(c.now, c.until); got != c.want {
			t.Errorf("%d is before %d: %v", c.now, c.until, got)
		}
		if got := until(c.now, c.until); c.until != 0 && got != c.left {
			t.Errorf("from %d until %d: %d ms, want %d", c.now, c.until, got, c.left)
		}
	}
}

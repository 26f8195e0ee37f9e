package bench

import (
	"fmt"
	"os"
	"runtime"
	"testing"

	"muster/bench/march"
	"muster/bench/sight"
)

func TestScratchS6(t *testing.T) {
	runtime.LockOSThread()
	m := march.Config{Players: 10_000, PerDisc: 50, DiscYards: reachYards, Apart: apartYards, BeatTicks: 1}
	if os.Getenv("S7") != "" {
		m = march.Config{Players: 2_000, PerDisc: 2_000, DiscYards: discYards, Apart: apartYards, BeatTicks: beatTicks}
	}
	ours := newMarching(m)
	for range marchTicks {
		ours.whole()
	}
	c, err := countInstructions()
	if err != nil {
		t.Fatal(err)
	}
	for range rounds() {
		for i, name := range []string{"bare", "sealed", "packed", "alone"} {
			if o := os.Getenv("ONLY"); o != "" && o != name {
				continue
			}
			ours.wrap = wrapping(i)
			step := ours.whole
			if i == 3 {
				step = ours.step
			}
			a := c.read()
			tm := measure(ours.live.World, step, 100)
			b := c.read()
			fmt.Printf("%-7s p50 %6.0f µs  min %6.0f p10 %6.0f ins/tick %6.2fM", name, tm.percentile(50), tm.percentile(0), tm.percentile(10), float64(b-a)/110/1e6)
			if i == 3 {
				for _, s := range tm.systems {
					if s.micros > 20 {
						fmt.Printf(" %s %.0f", s.name, s.micros)
					}
				}
			}
			fmt.Println()
		}
	}
	fmt.Println("gathered", ours.gatheredBytes())
}

func TestScratchS3(t *testing.T) {
	runtime.LockOSThread()
	c, err := countInstructions()
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{10_000, 100_000} {
		cells := sight.NewCells(sight.Hubs(n))
		found := cells.Find()
		for range 2 * ringRounds {
			cells.Tick(nil)
		}
		runtime.GC()
		for range 5 {
			k := 100_000 / n * 4
			a := c.read()
			x := took(k, func() { cells.Tick(nil) })
			b := c.read()
			fmt.Printf("%d: %.3f ns/pair, ins/pair %.2f (%d pairs)\n", n, x/float64(found.Count), float64(b-a)/float64(k)/float64(found.Count), found.Count)
		}
	}
}

func TestScratchObjects(t *testing.T) {
	runtime.LockOSThread()
	for _, n := range []int{10_000, 100_000} {
		o := sight.NewObjects(sight.Hubs(n))
		found := o.Find()
		o.Tick(nil)
		runtime.GC()
		for range rounds() {
			x := took(1, func() { o.Tick(nil) })
			fmt.Printf("%d: objects %.3f ns/pair\n", n, x/float64(found.Count))
		}
	}
}

func rounds() int {
	n := 3
	fmt.Sscan(os.Getenv("ROUNDS"), &n)
	return n
}

package grid

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestCellRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 10000 {
		x, y, layer := place(r), place(r), r.IntN(Layers)
		c := At(x, y, layer)
		ox, oy := c.Origin()
		if c == None || c.Layer() != layer || x < ox || x >= ox+CellYards || y < oy || y >= oy+CellYards {
			t.Fatalf("%v, %v in layer %d lie in %v with its corner at %v, %v", x, y, layer, c, ox, oy)
		}
		if other := c.InLayer((layer + 1) % Layers); other.InLayer(layer) != c || other.Layer() == layer {
			t.Fatalf("%v in another layer is %v", c, other)
		}
	}
}

func place(r *rand.Rand) float32 { return (r.Float32()*2 - 1) * Limit }

func TestHomeHasSlack(t *testing.T) {
	home := At(0, 0, Living)
	for _, tt := range []struct {
		x, y float32
		stay bool
	}{
		{0, 0, true}, {-5, 15, true}, {-5.1, 15, false}, {35, 35, true}, {35.1, 20, false}, {10, 35.5, false},
	} {
		if got := home.Track(tt.x, tt.y); (got == home) != tt.stay {
			t.Errorf("from %v, at %v, %v: home %v, want stay = %v", home, tt.x, tt.y, got, tt.stay)
		}
	}
	ghost := At(0, 0, Ghosts)
	if got := ghost.Track(100, 0); got != At(100, 0, Ghosts) {
		t.Errorf("a ghost's new home is %v, want %v", got, At(100, 0, Ghosts))
	}
}

// Everything within 90 yards is visible and nothing beyond 200 is, whatever slack the homes have.
func TestStencilDistances(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	offset := func() float32 { return r.Float32()*(CellYards+2*SlackYards) - SlackYards }
	var nearest, farthest float64 = math.Inf(1), 0
	for range 2_000_000 {
		a := At(place(r)*0.9, place(r)*0.9, Living)
		ax, ay := a.xy()
		b := cell(ax+r.IntN(15)-7, ay+r.IntN(15)-7, Living)
		x0, y0 := a.Origin()
		x1, y1 := b.Origin()
		d := math.Hypot(float64(x0+offset()-x1-offset()), float64(y0+offset()-y1-offset()))
		if ViewFrom(a).Has(b) {
			farthest = max(farthest, d)
		} else {
			nearest = min(nearest, d)
		}
	}
	if nearest <= MustSeeYards || farthest > MayNotSeeYards {
		t.Errorf("unseen at %.1f yards, seen at %.1f", nearest, farthest)
	}
}

func TestPatchesAreTheStencil(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 500 {
		v := View{At(place(r), place(r), r.IntN(Layers)), uint8(1 + r.IntN(7))}
		v.Layers |= 1 << v.Center.Layer()
		var buf [MaxPatches]Patch
		var got, want []Cell
		for _, p := range v.Patches(&buf) {
			p.Cells(func(c Cell) { got = append(got, c) })
		}
		hx, hy := v.Center.xy()
		for layer := range Layers {
			for y := hy - 6; y <= hy+6; y++ {
				for x := hx - 6; x <= hx+6; x++ {
					if c := cell(x, y, layer); v.Has(c) {
						want = append(want, c)
					}
				}
			}
		}
		slices.Sort(want)
		if !slices.Equal(got, want) || !v.Has(v.Center) {
			t.Fatalf("%+v: patches hold %v, want %v", v, got, want)
		}
	}
	if n := len((View{}).Patches(new([MaxPatches]Patch))); n != 0 {
		t.Errorf("the zero view has %d patches", n)
	}
}

func TestSetMinus(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	var s Set
	for range 500 {
		x, y := place(r)*0.9, place(r)*0.9
		v, w := ViewFrom(At(x, y, Living)), ViewFrom(At(x+float32(r.IntN(400)), y+float32(r.IntN(400)), r.IntN(2)))
		s.Clear()
		s.AddMinus(v, w)
		var sum Set
		sum.AddView(v)
		sum.AddView(w)
		for _, tile := range sum.Tiles() {
			Patch{tile, sum.Mask(tile)}.Cells(func(c Cell) {
				if s.Has(c) != (v.Has(c) && !w.Has(c)) {
					t.Fatalf("%v: in %v without %v = %v", c, v, w, s.Has(c))
				}
			})
		}
	}
}

// A body is something in an order.
type body struct {
	home Cell
	x, y float32
}

// bodies are spread over a square.
func bodies(r *rand.Rand, n int, yards float32) []body {
	all := make([]body, n)
	for i := range all {
		x, y := r.Float32()*yards, r.Float32()*yards
		all[i] = body{At(x, y, Living).Track(x+r.Float32()*6-3, y), x, y}
	}
	return all
}

func TestOrderEqualsBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	var all []body
	o := Order[int]{Locate: func(i int) (x, y float32) { return all[i].x, all[i].y }}
	for round := range 20 {
		if round%2 == 0 {
			all = bodies(r, 1+r.IntN(500), 300)
			for i := range all {
				o.Put(all[i].home, i)
			}
			o.Sort()
		} else { // all have moved, but not far
			for i := range all {
				all[i].x, all[i].y = all[i].x+r.Float32(), all[i].y+r.Float32()
			}
			o.Invalidate()
		}
		if len(o.All()) != len(all) {
			t.Fatalf("%d entries, want %d", len(o.All()), len(all))
		}
		for range 20 {
			x, y, radius := r.Float32()*300, r.Float32()*300, r.Float32()*60
			var got, want []int
			o.Within(x, y, radius, Living, func(i int) { got = append(got, i) })
			for i, e := range all {
				dx, dy := e.x-x, e.y-y
				if float32(dx*dx)+float32(dy*dy) <= float32(radius*radius) {
					want = append(want, i)
				}
			}
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Fatalf("within %v of %v, %v: %v, want %v", radius, x, y, got, want)
			}
		}
		for i, e := range all {
			if !slices.Contains(o.In(e.home), i) {
				t.Fatalf("%v is not in its home", e)
			}
		}
	}
}

// What is put as a whole, one's own slices among it, comes to lie as if each had been put for itself.
func TestOrderKeepsWhatStays(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	all := bodies(r, 400, 300)
	var o, want Order[int]
	for i := range all {
		o.Put(all[i].home, i)
	}
	o.Sort()
	for range 50 {
		gone := r.IntN(len(all))
		left := all[gone].home
		all[gone] = bodies(r, 1, 300)[0]
		o.Each(func(c Cell, in []int) {
			if c != left {
				o.Put(c, in...)
			}
			for _, i := range in {
				want.Put(all[i].home, i)
				if c == left {
					o.Put(all[i].home, i)
				}
			}
		})
		o.Sort()
		want.Sort()
		if !slices.Equal(o.All(), want.All()) {
			t.Fatalf("%v, want %v", o.All(), want.All())
		}
		o.Each(func(c Cell, in []int) {
			if !slices.Equal(in, want.In(c)) {
				t.Fatalf("%v: %v, want %v", c, in, want.In(c))
			}
		})
	}
	o.Sort()
	if len(o.All()) != 0 || o.In(all[0].home) != nil {
		t.Error("it is not empty when nothing was put")
	}
}

func TestOrderDoesNotAllocate(t *testing.T) {
	var o Order[uint64]
	build := func() {
		for i := range 10000 {
			o.Put(At(float32(i%100)*20, float32(i/100)*20, Living), uint64(i))
		}
		o.Sort()
	}
	build()
	if n := testing.AllocsPerRun(10, build); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

func BenchmarkOrderSort(b *testing.B) {
	all := bodies(rand.New(rand.NewPCG(1, 1)), 10000, 3000)
	var o Order[uint64]
	for b.Loop() {
		for i := range all {
			o.Put(all[i].home, uint64(i))
		}
		o.Sort()
	}
}

package remote

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"muster/ecs/grid"
	"muster/internal/metric"
	"muster/net/replication/frame"
)

// A countingBus counts the bytes of what is not for one gateway alone that are given to those that subscribe through it.
type countingBus struct {
	Bus
	bytes atomic.Int64
}

func (b *countingBus) Subscribe(subject string, take func([]byte)) (stop func(), err error) {
	return b.Bus.Subscribe(subject, func(m []byte) {
		if subject == testAddress.out() || strings.Contains(subject, ".r") {
			b.bytes.Add(int64(len(m)))
		}
		take(m)
	})
}

// Two gateways whose players are in different places, 3,000 yards apart, are each given what happens there and not what happens elsewhere: of frames
// that are divided they receive about half of what they receive of whole ones. Each player is sent what it is sent beside the world.
func TestGatewaysTakeRegions(t *testing.T) {
	run := func(whole int) (received int64) {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer synctest.Wait()
			defer cancel()
			bus, world := newBus(1), newTestWorld()
			world.home = func(guid uint64) grid.Cell { return grid.At(float32(guid/1000)*3000, 15, grid.Living) }
			end := NewWorld(WorldConfig{Bus: bus, Address: testAddress, Exchange: world.exchange, Life: 1, Whole: whole, Metric: new(metric.Table)})
			go end.Run(ctx)
			var gateways []*testGateway
			counting := [2]countingBus{{Bus: bus}, {Bus: bus}}
			for i := range counting {
				gateways = append(gateways, newTestGateway(ctx, &counting[i], uint32(i)+1, 40, 1))
				<-gateways[i].end.Ready()
				gateways[i].enter()
			}
			for n := range 60 {
				<-time.After(testTick)
				synctest.Wait()
				if n == 20 {
					counting[0].bytes.Store(0)
				}
				for _, g := range gateways {
					for s := 1; n > 5 && s < len(g.guids); s++ {
						g.say(s)
					}
				}
				world.step()
			}
			synctest.Wait()
			received = counting[0].bytes.Load()
			for _, g := range gateways {
				g.read(t)
				if g.exchange.Newest() != world.exchange.Newest() || g.end.config.Metric.Value(FramesMissed) > 1 { // when the first players enter
					t.Errorf("a gateway has tick %d of %d, and has asked %d times; want once at most",
						g.exchange.Newest(), world.exchange.Newest(), g.end.config.Metric.Value(FramesMissed))
				}
				for s := 1; s < len(g.guids); s++ {
					if want := world.got[g.guids[s]]; !bytes.Equal(g.got[s], want) || len(want) == 0 {
						t.Errorf("player %d was sent %d bytes, which differ from the %d beside the world", g.guids[s], len(g.got[s]), len(want))
					}
				}
			}
		})
		return received
	}
	all, some := run(1<<20), run(1)
	if share := float64(some) / float64(all); share > 0.6 || share < 0.4 {
		t.Errorf("a gateway receives %d bytes of divided frames and %d of whole ones: %.2f, want about half", some, all, share)
	}
}

// A gateway takes regions one tile ahead of its views, and leaves them when no view has been near for a while.
func TestInterest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var heard []frame.Region
		in := newInterest(func(r frame.Region) func() {
			heard = append(heard, r)
			return func() { heard = slices.DeleteFunc(heard, func(other frame.Region) bool { return other == r }) }
		})
		expect := func(when string, needed int, want ...frame.Region) {
			t.Helper()
			slices.Sort(heard)
			if !slices.Equal(heard, want) || len(in.needed) != needed {
				t.Errorf("%s: regions %v are taken and %d needed, want %v and %d", when, heard, len(in.needed), want, needed)
			}
		}
		at := func(x float32) grid.View { return grid.ViewFrom(grid.At(x, 480, grid.Living)) }
		// The middle of the map is the corner of four regions, 18 of 36 in each direction; one is 960 yards wide.
		const middle = 18*36 + 18
		in.see(1, at(480))
		expect("in the middle of a region", 1, middle)
		in.see(1, at(960-300))
		expect("within a tile of the next", 1, middle, middle+1)
		in.see(1, at(960-100))
		expect("where the next is seen", 2, middle, middle+1)
		in.see(2, at(960+480))
		in.see(1, at(960+480))
		expect("in the middle of the next", 1, middle, middle+1)
		time.Sleep(regionKept)
		in.sweep(time.Now())
		expect("when the first was of no use for as long as it is kept", 1, middle, middle+1)
		time.Sleep(idleBeat)
		in.sweep(time.Now())
		expect("and then", 1, middle+1)
		in.see(1, grid.View{})
		expect("when one of two has left", 1, middle+1)
		in.see(2, grid.View{})
		expect("when both have left", 0, middle+1)
		in.stop()
		expect("at the end", 0)
	})
}

// A taped bus has what was published.
type tapedBus struct{ tape []string }

func (b *tapedBus) Publish(subject string, m []byte) error {
	b.tape = append(b.tape, subject+" "+string(m))
	return nil
}

func (b *tapedBus) Subscribe(string, func([]byte)) (stop func(), err error) { return func() {}, nil }

// The messages of a divided frame have these bytes, made by hand from the comments of the kinds.
func TestDividedBytes(t *testing.T) {
	w, _, _ := ends()
	bus := new(tapedBus)
	w.config.Bus, w.config.Whole = bus, 1
	w.blocks, w.freed = []*peer{w.gateways[3]}, []time.Time{{}}
	var f frame.Frame
	var d frame.Builder
	span := func(s string) frame.Span {
		d.Bytes = append(d.Bytes, s...)
		return d.Cut()
	}
	near, far := grid.At(15, 15, grid.Living), grid.At(15, 1000, grid.Living)
	d.AddDelta(near, frame.Events, span("ev"))
	d.AddDelta(far, frame.Values, span("va"))
	d.SetView(5, grid.ViewFrom(near), false)
	d.Build(&f, 300)
	w.publishFrame(&f)
	var e frame.Encoder
	private := string(e.AppendPrivate(nil, &f, func(uint32) bool { return true }))
	const life = "\x01\x00\x00\x00\x00\x00\x00\x00"
	// Regions 18*36+18 = 666 and, 960 yards further, 702. The view of near touches four: those up to 120 yards from it.
	want := []string{
		"x \x0A\x0A" + life + "\xAC\x02" + "\x04\xF5\x04\x01\x23\x01" + private,
		"muster.test.out.1.0.r666 \x0A\x09" + life + "\xAC\x02" + "\x9A\x05\x00\x01" + halfOf(near, 0, "ev"),
		"muster.test.out.1.0.r702 \x0A\x09" + life + "\xAC\x02" + "\xBE\x05\x00\x01" + halfOf(far, 1, "va"),
		"muster.test.out.1.0 \x0A\x08" + life + "\xAC\x02\x00\x00\x01" + "\x01\x03" + "\x02\x9A\x05\x24",
	}
	if !slices.Equal(bus.tape, want) {
		t.Errorf("published\n%q, want\n%q", bus.tape, want)
	}
}

// halfOf is a shared half with a part of two bytes in one cell.
func halfOf(c grid.Cell, part int, what string) string {
	n := writer{[]byte{6, 1}}
	n.number(uint64(c))
	return string(n.b) + string([]byte{1 << part, byte(len(what))}) + what
}

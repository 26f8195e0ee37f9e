package systems

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"muster/ecs/grid"
	"muster/internal/testseed"
	"muster/net/replication/frame"
)

// A gapped is a gateway apart from its world, which misses what happens in cells for a while, and then goes on with a keyframe.
type gapped struct {
	from    *frame.Exchange // of the world
	encoder frame.Encoder
	decoder frame.Decoder
	census  frame.Census
	views   map[uint32]grid.View
	misses  int  // ticks that it is still to miss
	gap     bool // it has missed some
	asked   bool // players are to be sent all anew
	private [][]byte
	keys    int
	resumed int // connections that go on with players in gaps
}

func local(session uint32) (uint32, bool) { return session, true }

// take gives the gateway a frame of the world, or what is left of it in a gap.
func (g *gapped) take(t *testing.T, to *frame.Exchange, f *frame.Frame) {
	t.Helper()
	private := g.encoder.AppendPrivate(nil, f, func(uint32) bool { return true })
	if g.misses > 0 || g.asked && len(f.Refreshed) == 0 {
		g.gap = true
		g.misses--
		if len(private) > 0 {
			g.private = append(g.private, private)
		}
		return
	}
	write := func(make func(*frame.Frame) error) {
		out := to.Write()
		if err := make(out); err != nil {
			t.Fatal(err)
		}
		out.Views(func(session uint32, v grid.View, reset bool) {
			g.census.See(g.views[session], v, reset)
			if g.views[session] = v; v == (grid.View{}) {
				delete(g.views, session)
			}
		})
		for _, left := range out.Left {
			delete(g.views, left.Session)
		}
		g.census.Follow(out)
		to.Publish(out)
	}
	if g.gap {
		g.keys++
		write(func(out *frame.Frame) error {
			return g.decoder.Bridge(out, f.Tick-1, g.views, &g.census, g.private, local)
		})
		g.gap, g.asked, g.private = false, false, nil
	}
	shared := g.encoder.AppendShared(nil, f)
	write(func(out *frame.Frame) error {
		return g.decoder.Decode(out, f.Tick, g.views, [][]byte{shared}, private, local)
	})
}

// Clients of a gateway that misses hundreds of ticks of its world, again and again, know what they see after the keyframe that follows, and after each flush
// since, as those of one that misses nothing; they are told of nothing that they do not know, and none is lost. So do those of connections that go on with
// players in the meantime, which are sent nothing of what was before.
func TestKeyframesBringClientsUpToDate(t *testing.T) {
	t.Parallel()
	first := testseed.Of(t)
	for s := first; s < first+3; s++ {
		t.Run(fmt.Sprint(s), func(t *testing.T) {
			tr := newTrial(s)
			tr.gapped = &gapped{from: frame.NewExchange(), views: make(map[uint32]grid.View)}
			tr.run(t, 1000)
			if tr.gapped.keys < 2 || tr.gapped.resumed < 2 {
				t.Errorf("there were %d keyframes, and %d connections that went on with a player in a gap: that is no test", tr.gapped.keys, tr.gapped.resumed)
			}
		})
	}
}

// begin begins a gap of up to a few hundred ticks now and then, and reports whether there is one.
func (g *gapped) begin(dice *rand.Rand) bool {
	if g.misses <= 0 && !g.gap && dice.IntN(40) == 0 {
		g.misses = 2 + dice.IntN(300)
	}
	return g.misses > 0
}

package frame

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"muster/ecs/grid"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// A bridgeScene is an observer, session 9, that knows subject 6 when a gap begins.
type bridgeScene struct {
	port    *Exchange
	census  Census
	view    grid.View
	cursor  Cursor
	decoder Decoder
}

const bridgeSession = 9

func newBridgeScene() *bridgeScene {
	home := grid.At(15, 15, grid.Living)
	s := &bridgeScene{port: NewExchange(), view: grid.ViewFrom(home), cursor: Cursor{Session: bridgeSession, GUID: 1}}
	var d Builder
	d.SetView(bridgeSession, s.view, false)
	d.Enter(home, 6, grid.None, Span{}, Span{})
	s.census.See(grid.View{}, s.view, false)
	f := s.port.Write()
	d.Build(f, 1)
	s.census.Follow(f)
	s.port.Publish(f)
	s.flush()
	return s
}

// flush is what the observer is sent.
func (s *bridgeScene) flush() []byte {
	var w Window
	w.Open(s.port)
	defer w.Close()
	out, ok := new(Replayer).Replay(nil, &w, &s.cursor)
	if !ok {
		panic("an observer lost the stream")
	}
	return out
}

// bridge publishes the frame of the end of a gap with these private halves, unless they are refused.
func (s *bridgeScene) bridge(private ...[]byte) (*Frame, error) {
	views := map[uint32]grid.View{bridgeSession: s.view}
	local := func(session uint32) (uint32, bool) { return session, session < 1000 }
	f := s.port.Write()
	err := s.decoder.Bridge(f, 5, views, &s.census, private, local)
	if err == nil {
		s.port.Publish(f)
	}
	return f, err
}

// halves are the private halves of ticks, each of which has what a function gives.
func halves(ticks ...func(d *Builder)) (all [][]byte) {
	for i, tick := range ticks {
		var d Builder
		var f Frame
		var e Encoder
		tick(&d)
		d.Build(&f, uint64(i+2))
		all = append(all, e.AppendPrivate(nil, &f, func(uint32) bool { return true }))
	}
	return all
}

// says gives a session a packet with a text in it.
func says(d *Builder, place Place, text string) {
	d.Bytes = msg.Packet(d.Bytes, wire.V12340, msg.OpNotification, &msg.Notification{Text: text})
	d.Send(bridgeSession, place, d.Cut())
}

// A connection that goes on with a player in a gap is sent what is meant for it, in order, and nothing of what was before: neither packets, nor that
// something is gone, of which it has never known. The connection that was there before is sent all, and what it knew is gone.
func TestBridgeToAnotherConnection(t *testing.T) {
	gap := halves(
		func(d *Builder) { says(d, Middle, "before") },
		func(d *Builder) {
			d.Resume(bridgeSession, 3)
			d.SetView(bridgeSession, grid.ViewFrom(grid.At(16, 15, grid.Living)), true)
			says(d, First, "login")
			says(d, Last, "values")
		},
		func(d *Builder) { says(d, First, "after") },
	)
	for _, resumed := range []bool{true, false} {
		s, all := newBridgeScene(), gap
		want := []string{"login", "values", "after"}
		if resumed {
			s.cursor = Cursor{Session: bridgeSession, GUID: 1, Tick: s.cursor.Tick, Waits: 3}
		} else {
			all = slices.Delete(slices.Clone(gap), 1, 2)
			want = []string{"destroy", "before", "after"}
		}
		if _, err := s.bridge(all...); err != nil {
			t.Fatal(err)
		}
		var got []string
		for rest := s.flush(); len(rest) > 0; {
			op, payload, header, _ := wire.ServerHeader(rest)
			var m msg.Notification
			switch body := rest[header : header+payload]; op {
			case msg.OpNotification:
				if err := msg.Decode(wire.V12340, body, &m); err != nil {
					t.Fatal(err)
				}
				got = append(got, m.Text)
			default:
				got = append(got, "destroy")
			}
			rest = rest[header+payload:]
		}
		if !slices.Equal(got, want) {
			t.Errorf("resumed %v: the client is sent %q, want %q", resumed, got, want)
		}
		if s.cursor.View != (grid.View{}) || s.cursor.Waits != 0 {
			t.Errorf("resumed %v: the observer has a view %+v, or still waits for %d", resumed, s.cursor.View, s.cursor.Waits)
		}
	}
}

// checkBridge holds that the frame at the end of a gap with any private halves is refused, and empty, or has whole packets for the observer, and ends its view.
func checkBridge(t *testing.T, first, second []byte) {
	s := newBridgeScene()
	if got, err := s.bridge(first, second); err != nil {
		var empty Frame
		new(Builder).Build(&empty, 5)
		have, _ := got.AppendBinary(nil)
		if want, _ := empty.AppendBinary(nil); !errors.Is(err, ErrFrame) || !bytes.Equal(have, want) {
			t.Errorf("error %v, and a frame of % x", err, have)
		}
		return
	}
	for rest := s.flush(); len(rest) > 0; {
		_, payload, header, ok := wire.ServerHeader(rest)
		if !ok || payload < 0 || header+payload > len(rest) {
			t.Fatalf("the observer is sent % x, which is no packet", rest)
		}
		rest = rest[header+payload:]
	}
	if s.cursor.View != (grid.View{}) {
		t.Errorf("the observer has a view %+v", s.cursor.View)
	}
}

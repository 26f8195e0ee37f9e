package sessiontrace

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"muster/cmd/internal/playback"
	"muster/net/protocol/msg"
	"muster/net/protocol/trace"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/net/replication/recording"
)

// run runs the recordings of a folder, one after the other, and writes what sessions sent and what they were sent.
func (v *Config) run(ctx context.Context, w trace.Writer) error {
	maps, err := recording.Maps(v.From)
	if err != nil {
		return err
	}
	for _, place := range maps {
		p, err := playback.Open(ctx, v.From, place, v.WorldDB, v.DBC)
		if err != nil {
			return err
		}
		err = v.runMap(ctx, p, w)
		p.Log.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// A follower is a player of a recording that is followed, as a gateway would flush it.
type follower struct {
	name   string
	cursor frame.Cursor
}

// runMap runs a recording. Its times are those of the world's clock, from 1970 on.
func (v *Config) runMap(ctx context.Context, p *playback.Playback, w trace.Writer) error {
	p.Exchange = frame.NewExchange()
	p.Exchange.Keep = frame.MaxRing
	var window frame.Window
	var replayer frame.Replayer
	var order []uint32 // of followers, as they came
	followers := make(map[uint32]*follower)
	var failed error
	write := func(session uint32, d msg.Direction, at time.Time, packet []byte) {
		if failed == nil {
			failed = w.Write(&trace.Packet{At: at, Session: uint64(session), Account: followers[session].name, Direction: d, Bytes: packet})
		}
	}
	p.Heard = func(in *frame.Inbox) {
		for i := range in.Len() {
			it := in.At(i)
			switch it.Op {
			case frame.OpEnter, frame.OpArrive, frame.OpResume:
				var c frame.Character
				if msg.Decode(wire.V12340, it.Body, &c) == nil && v.means(uint64(it.Session), c.Name) {
					if followers[it.Session] == nil {
						order = append(order, it.Session)
					}
					followers[it.Session] = &follower{strings.ToUpper(c.Name), frame.Cursor{Session: it.Session, GUID: c.GUID, Tick: p.Exchange.Newest()}}
				}
				continue
			case frame.OpLeave, frame.OpDrop, frame.OpAbandon, frame.OpLease, frame.OpCommand, frame.OpGateway, frame.OpDate, frame.OpReload:
				continue
			}
			if followers[it.Session] == nil {
				continue
			}
			body := trace.Scrub(uint32(it.Op), it.Body)
			write(it.Session, msg.ToServer, time.UnixMilli(int64(it.AtMs)).UTC(),
				append(wire.AppendClientHeader(nil, uint32(it.Op), len(body)), body...))
		}
	}
	for last := uint64(0); failed == nil; {
		err := p.Next(ctx)
		if err == io.EOF || errors.Is(err, recording.ErrTorn) {
			return failed
		}
		if err != nil {
			return err
		}
		if p.Tick == last {
			continue
		}
		last = p.Tick
		window.Open(p.Exchange)
		for _, session := range order {
			sent, ok := replayer.Replay(nil, &window, &followers[session].cursor)
			for ok && len(sent) > 0 {
				_, n, header, _ := wire.ServerHeader(sent)
				write(session, msg.ToClient, time.UnixMilli(int64(p.Tick)*int64(p.Header.StepMs)).UTC(), sent[:header+n])
				sent = sent[header+n:]
			}
		}
		window.Close()
		for _, left := range p.Exchange.Departed() {
			delete(followers, left.Session)
			order = slices.DeleteFunc(order, func(session uint32) bool { return session == left.Session })
		}
	}
	return failed
}

// Package playback runs a recorded world again, tick by tick, and holds its hashes against those of the recording.
package playback

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"muster/cmd/internal/release"
	"muster/cmd/internal/worldspec"
	"muster/components"
	"muster/components/defs"
	"muster/internal/limit"
	"muster/internal/metric"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/net/replication/recording"
	"muster/systems"
)

// A Source has the records of a log, in their order. Next returns io.EOF after the last one, or an error that wraps recording.ErrTorn where the log was cut off.
type Source interface {
	Next() (recording.Record, error)
	Close() error
}

// A Playback is a recording, or the log of a world, that is run again.
type Playback struct {
	Log    Source
	Header recording.Header
	Name   string // of the world, as in "map 3"
	Until  uint64 // 0: to its end
	World  *systems.World
	frame  frame.Frame
	Record recording.Record // the last that was read
	Tick   uint64           // the last that was run
	sum    uint32           // recording.Sum of what was read
	Began  uint64           // the tick of the snapshot with which it began; 0 without one
	Shots  shots

	Exchange *frame.Exchange       // where frames are published; nil: nowhere
	Heard    func(in *frame.Inbox) // is given what each tick reads; nil does nothing

	First uint64
	Ticks int
	Items int
}

// Open opens a recording, and makes its world. worldDB is the database of an imported one, and files the folder of tables of a client, "" none.
func Open(ctx context.Context, folder string, place uint32, worldDB, files string) (*Playback, error) {
	log, err := recording.Open(folder, place)
	if err != nil {
		return nil, err
	}
	h := &log.Header
	d, err := worldspec.RecordedDefs(ctx, h, worldDB, files)
	if err == nil {
		err = Playable(h, d)
	}
	if err != nil {
		log.Close()
		return nil, err
	}
	return &Playback{Log: log, Header: *h, Name: fmt.Sprintf("map %d", place), World: worldspec.NewWorld(h, d, new(metric.Table))}, nil
}

// Playable refuses a header of a world that cannot be made.
func Playable(h *recording.Header, d *defs.World) error {
	_, known := worldspec.Reclaims[h.Reclaim]
	switch {
	case d.Map(h.Map) == nil:
		return fmt.Errorf("there is no map %d in the world of seed %d", h.Map, h.Seed)
	case !known:
		return fmt.Errorf("it was recorded with --death-reclaim %q", h.Reclaim)
	case h.StepMs == 0:
		return errors.New("it was recorded with ticks of 0 ms")
	}
	return nil
}

// Next reads a record, and runs its tick if it is an inbox.
func (p *Playback) Next(ctx context.Context) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	if p.Record, err = p.Log.Next(); err != nil || p.Record.Inbox == nil {
		return err
	}
	if p.Until > 0 && p.Record.N > p.Until {
		return io.EOF
	}
	p.sum = recording.Sum(p.sum, p.Record.N, p.Record.Inbox)
	return p.Run(p.Record.N, p.Record.Inbox)
}

func (p *Playback) Run(n uint64, inbox []byte) (err error) {
	if n <= p.Tick {
		return fmt.Errorf("tick %d comes after tick %d", n, p.Tick)
	}
	if err := p.World.Inbox().UnmarshalBinary(inbox); err != nil {
		return fmt.Errorf("tick %d: %w", n, err)
	}
	p.Items += p.World.Inbox().Len()
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("tick %d panics: %v\n%s", n, value, debug.Stack())
		}
	}()
	f := &p.frame
	if p.Heard != nil {
		p.Heard(p.World.Inbox())
	}
	if p.Exchange != nil {
		f = p.Exchange.Write()
	}
	p.World.Tick(n, f)
	if p.Exchange != nil {
		p.Exchange.Publish(f)
	}
	if p.Ticks++; p.Ticks == 1 {
		p.First = n
	}
	p.Tick = n
	return nil
}

// Check holds a digest against the world as it is now.
func (p *Playback) Check(n uint64, digest []byte) error {
	if n != p.Tick {
		return fmt.Errorf("%w: a hash of tick %d after tick %d", recording.ErrDamaged, n, p.Tick)
	}
	now := p.World.Digest(n)
	if slices.Equal(now, digest) {
		return nil
	}
	if !slices.Equal(p.Header.Parts, p.World.Parts()) {
		return fmt.Errorf("tick %d: it was recorded by a muster whose worlds have other parts", n)
	}
	d, err := systems.Differ(digest, now)
	if err != nil {
		return fmt.Errorf("tick %d: %w", n, err)
	}
	if len(d.Parts) == 0 && len(d.GUIDs) == 0 {
		return nil // in another order
	}
	var parts, whose []string
	for _, part := range d.Parts {
		parts = append(parts, p.World.Parts()[part])
	}
	for _, guid := range d.GUIDs {
		whose = append(whose, WhoseGUID(guid))
	}
	return fmt.Errorf("tick %d went another way: %s, of %s", n, Some(parts), Some(whose))
}

// Some is the first few of a list.
func Some(list []string) string {
	const most = 8
	if len(list) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(list[:most], ", "), len(list)-most)
	}
	return strings.Join(list, ", ")
}

// WhoseGUID describes the entity of a GUID.
func WhoseGUID(guid uint64) string {
	switch components.GUIDHigh(guid) {
	case components.HighPlayer:
		if guid < 2 { // GUID 0, or of an entity that is gone
			return "no entity"
		}
		return fmt.Sprintf("player %d", guid)
	case components.HighCreature:
		return fmt.Sprintf("creature %d of entry %d", guid&components.MaxCounter, guid>>24&components.MaxCounter)
	case components.HighCorpse:
		return fmt.Sprintf("corpse %#x", guid)
	}
	return fmt.Sprintf("%#x", guid)
}

// ErrOtherRelease is the error of a log by another release, or by another toolchain, than this binary.
func ErrOtherRelease(h *recording.Header) error {
	return fmt.Errorf("it is of %s, %s; this is %s, %s", h.Release, h.Toolchain, release.Name(), release.Toolchain())
}

// maxLeaving is in what time of a world all players are to be out of it, our own choice.
const maxLeaving = 5 * time.Second

// Limits lists what this package bounds.
func Limits() []limit.Limit {
	return []limit.Limit{{
		Name: "time of a world in which the players of the server before leave it", Value: maxLeaving, Breach: "it cannot be continued, and begins anew",
		Test: "cmd/internal/playback TestLeavingIsBounded",
	}}
}

// Leave takes all players out of the world, as if their connections ended in the next tick, and calls left after each tick that it takes, which is one quantum long. One that an event concerns in a tick leaves in a later one.
func (p *Playback) Leave(quantum time.Duration, left func() error) error {
	var in frame.Inbox
	for _, s := range p.World.Sessions(nil) {
		if err := in.Add(frame.Item{Session: s, Op: frame.OpLeave}); err != nil {
			return err
		}
	}
	for took := time.Duration(0); p.World.Players() > 0; took += quantum {
		if took >= maxLeaving {
			return fmt.Errorf("%d players are in the world still, %v after they were taken out of it", p.World.Players(), took)
		}
		in.Seal()
		b, err := in.AppendBinary(nil)
		if err == nil {
			err = p.Run(p.Tick+1, b)
		}
		if err == nil {
			err = left()
		}
		if err != nil {
			return err
		}
		in = frame.Inbox{}
	}
	return nil
}

// NoteLeft notes the state of players that left the world in the last tick.
func (p *Playback) NoteLeft(left map[uint64][]byte) error {
	for _, l := range p.frame.Left {
		var c frame.Character
		b := p.frame.In(l.Character)
		if err := msg.Decode(wire.V12340, b, &c); err != nil {
			return err
		}
		left[c.GUID] = bytes.Clone(b)
	}
	return nil
}

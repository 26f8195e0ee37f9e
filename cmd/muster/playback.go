package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"

	"muster/components"
	"muster/components/defs"
	"muster/internal/metric"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/net/replication/recording"
	"muster/systems"
)

// A playback is a recording that is run again.
type playback struct {
	log    *recording.Log
	until  uint64 // 0: to its end
	world  *systems.World
	frame  frame.Frame
	record recording.Record // the last that was read
	tick   uint64           // the last that was run
	sum    uint32           // recording.Sum of what was read
	began  uint64           // the tick of the snapshot with which it began; 0 without one
	shots  shots

	exchange *frame.Exchange       // where frames are published; nil: nowhere
	heard    func(in *frame.Inbox) // is given what each tick reads; nil does nothing

	first uint64
	ticks int
	items int
}

// play opens a recording, and makes its world. worldDB is the database of an imported one.
func play(ctx context.Context, folder string, place uint32, worldDB string) (*playback, error) {
	log, err := recording.Open(folder, place)
	if err != nil {
		return nil, err
	}
	h := &log.Header
	d, err := recordedDefs(ctx, h, worldDB)
	if err == nil {
		err = playable(h, d)
	}
	if err != nil {
		log.Close()
		return nil, err
	}
	return &playback{log: log, world: newWorld(h, d, new(metric.Table))}, nil
}

// playable refuses a header of a world that cannot be made.
func playable(h *recording.Header, d *defs.World) error {
	_, known := reclaims[h.Reclaim]
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

// next reads a record, and runs its tick if it is an inbox.
func (p *playback) next(ctx context.Context) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	if p.record, err = p.log.Next(); err != nil || p.record.Inbox == nil {
		return err
	}
	if p.until > 0 && p.record.N > p.until {
		return io.EOF
	}
	p.sum = recording.Sum(p.sum, p.record.N, p.record.Inbox)
	return p.run(p.record.N, p.record.Inbox)
}

func (p *playback) run(n uint64, inbox []byte) (err error) {
	if n <= p.tick {
		return fmt.Errorf("tick %d comes after tick %d", n, p.tick)
	}
	if err := p.world.Inbox().UnmarshalBinary(inbox); err != nil {
		return fmt.Errorf("tick %d: %w", n, err)
	}
	p.items += p.world.Inbox().Len()
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("tick %d panics: %v\n%s", n, value, debug.Stack())
		}
	}()
	f := &p.frame
	if p.heard != nil {
		p.heard(p.world.Inbox())
	}
	if p.exchange != nil {
		f = p.exchange.Write()
	}
	p.world.Tick(n, f)
	if p.exchange != nil {
		p.exchange.Publish(f)
	}
	if p.ticks++; p.ticks == 1 {
		p.first = n
	}
	p.tick = n
	return nil
}

// check holds a digest against the world as it is now.
func (p *playback) check(n uint64, digest []byte) error {
	if n != p.tick {
		return fmt.Errorf("%w: a hash of tick %d after tick %d", recording.ErrDamaged, n, p.tick)
	}
	now := p.world.Digest(n)
	if slices.Equal(now, digest) {
		return nil
	}
	if !slices.Equal(p.log.Header.Parts, p.world.Parts()) {
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
		parts = append(parts, p.world.Parts()[part])
	}
	for _, guid := range d.GUIDs {
		whose = append(whose, whoseGUID(guid))
	}
	return fmt.Errorf("tick %d went another way: %s, of %s", n, some(parts), some(whose))
}

// some is the first few of a list.
func some(list []string) string {
	const most = 8
	if len(list) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(list[:most], ", "), len(list)-most)
	}
	return strings.Join(list, ", ")
}

// whoseGUID describes the entity of a GUID.
func whoseGUID(guid uint64) string {
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

func errOtherRelease(h *recording.Header) error {
	return fmt.Errorf("it is of %s, %s; this is %s, %s", h.Release, h.Toolchain, release(), toolchain())
}

// noteLeft notes the state of players that left the world in the last tick.
func (p *playback) noteLeft(left map[uint64][]byte) error {
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

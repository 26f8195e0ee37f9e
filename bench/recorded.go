package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"time"

	"muster/bench/swarm"
	"muster/components/defs"
	"muster/loaders/synth"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/net/replication/recording"
	"muster/systems"
)

// A recordedWorld is what a server's world has read of its clients: the inboxes of each tick.
type recordedWorld struct {
	header   recording.Header
	defs     *defs.World
	from     uint64         // the tick of the first inbox
	inboxes  []frame.Inbox  // of each tick since; empty where the server has skipped one
	settled  uint64         // the tick of the last entry
	sessions []*recordedOne // those that enter, and are there until the end of what is used, by number
}

// A recordedOne is a session of a player.
type recordedOne struct {
	number  uint32
	guid    uint64
	hub     int    // where it enters
	entered uint64 // tick
	left    uint64 // tick; 0 never
}

// A crowdOf is how many clients do what.
type crowdOf struct {
	clients   int
	behaviour swarm.Behaviour
}

// errShort is of a recording that ends too soon after the last entry.
var errShort = errors.New("the recording is too short")

// recordSwarms has swarms in a server that records, and reads the recording: of which so many ticks after the last entry are used. Where
// that leaves too few clients, as the machine is slow, they stay longer, and come in slower.
func recordSwarms(ctx context.Context, muster string, crowds []crowdOf, ramp, ticks int) (r *recordedWorld, err error) {
	clients := 0
	for _, c := range crowds {
		clients += c.clients
	}
	stay := time.Duration(ticks)*tickMs*time.Millisecond + 10*time.Second
	for range 3 {
		r, err = recordOnce(ctx, muster, crowds, clients, ramp, ticks, stay)
		if err == nil && len(r.sessions) < clients*9/10 {
			err = fmt.Errorf("%w: of %d clients %d are in it from their entry to the end", errShort, clients, len(r.sessions))
		}
		if !errors.Is(err, errShort) {
			return r, err
		}
		stay, ramp = stay+30*time.Second, max(ramp/2, 1)
	}
	return nil, err
}

func recordOnce(ctx context.Context, muster string, crowds []crowdOf, clients, ramp, ticks int, stay time.Duration) (r *recordedWorld, err error) {
	folder, err := os.MkdirTemp("", "muster-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	// What clients send does not depend on how often they are sent something: as seldom as can be takes the least of the machine.
	server, said, err := start(ctx, muster, serveReady, "serve", "--ephemeral", "--auth", "127.0.0.1:0", "--world", "127.0.0.1:0", "--admin", "127.0.0.1:0",
		"--tick", strconv.Itoa(tickMs)+"ms", "--phases", "20", "--max-players", strconv.Itoa(clients+clients/10), "--record", folder, "--record-limit", "8192")
	if err != nil {
		return nil, err
	}
	ended := make(chan error, len(crowds))
	for _, c := range crowds {
		go func() {
			_, err := runSwarm(ctx, anywhere, muster, new(swarm.Report), "--auth", said[0], "--clients", strconv.Itoa(c.clients), "--accounts", string(c.behaviour),
				"--behaviour", string(c.behaviour), "--duration", stay.String(), "--ramp", strconv.Itoa(max(ramp*c.clients/clients, 1)))
			ended <- err
		}()
	}
	for range crowds {
		err = errors.Join(err, <-ended)
	}
	if err = errors.Join(err, server.stop()); err != nil {
		return nil, err
	}
	return readRecorded(folder, 0, uint64(ticks))
}

// readRecorded reads the recording of a map of the synthetic world, of which so many ticks after the last entry are used.
func readRecorded(folder string, place uint32, ticks uint64) (*recordedWorld, error) {
	log, err := recording.Open(folder, place)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	r := &recordedWorld{header: log.Header}
	c := synth.Config{Seed: r.header.Seed, Creatures: cmp.Or(r.header.Creatures, -1), Start: synth.Start(r.header.Start)}
	if r.defs, err = synth.New(c); err != nil {
		return nil, err
	}
	all, err := r.read(log)
	if err != nil {
		return nil, err
	}
	end := r.settled + ticks
	if last := r.from + uint64(len(r.inboxes)); last < end {
		return nil, fmt.Errorf("%w: it has %d ticks after the last entry, want %d", errShort, last-r.settled, ticks)
	}
	for _, one := range all {
		if one.left == 0 || one.left > end {
			r.sessions = append(r.sessions, one)
		}
	}
	slices.SortFunc(r.sessions, func(a, b *recordedOne) int { return cmp.Compare(a.number, b.number) })
	return r, nil
}

// read reads all inboxes, and which session each number is last.
func (r *recordedWorld) read(log *recording.Log) (map[uint32]*recordedOne, error) {
	all := make(map[uint32]*recordedOne)
	for {
		record, err := log.Next()
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		if len(record.Inbox) == 0 && r.inboxes == nil || record.Digest != nil || record.End != "" {
			continue
		}
		if r.inboxes == nil {
			r.from = record.N
		}
		r.inboxes = slices.Grow(r.inboxes, int(record.N-r.from)+1-len(r.inboxes))[:record.N-r.from+1]
		inbox := &r.inboxes[record.N-r.from]
		if err := inbox.UnmarshalBinary(record.Inbox); err != nil {
			return nil, err
		}
		for i := range inbox.Len() {
			if err := r.note(all, record.N, inbox.At(i)); err != nil {
				return nil, err
			}
		}
	}
}

// note notes who enters and leaves.
func (r *recordedWorld) note(all map[uint32]*recordedOne, tick uint64, it frame.Item) error {
	switch it.Op {
	case frame.OpEnter, frame.OpArrive:
		var c frame.Character
		if err := msg.Decode(wire.V12340, it.Body, &c); err != nil {
			return err
		}
		all[it.Session] = &recordedOne{number: it.Session, guid: c.GUID, hub: r.hub(&c), entered: tick}
		r.settled = tick
	case frame.OpLeave, frame.OpDrop, frame.OpAbandon:
		if one := all[it.Session]; one != nil {
			one.left = tick
		}
	}
	return nil
}

// hub is the number of the hub that is nearest to a character.
func (r *recordedWorld) hub(c *frame.Character) (number int) {
	nearest := math.Inf(1)
	for i, h := range r.defs.Hubs {
		if d := math.Hypot(float64(h.X-c.X), float64(h.Y-c.Y)); h.Map == r.header.Map && d < nearest {
			number, nearest = i, d
		}
	}
	return number
}

// A recordedPart is a script for one of several worlds: the sessions of its share of the hubs, numbered anew.
type recordedPart struct {
	from    *recordedWorld
	numbers map[uint32]uint32 // of its sessions, by those of the recording
	entered []uint64          // by its own numbers
}

// part makes the world of one of several parts, before its first tick.
func (r *recordedWorld) part(number, parts int) *play {
	s := &recordedPart{from: r, numbers: make(map[uint32]uint32)}
	var guids []uint64
	for _, one := range r.sessions {
		if one.hub%parts == number {
			s.numbers[one.number] = uint32(len(guids))
			s.entered = append(s.entered, one.entered)
			guids = append(guids, one.guid)
		}
	}
	h := &r.header
	p := newPlayOf(s, systems.Config{
		Defs: r.defs, Map: r.defs.Map(h.Map), Seed: h.Seed, Quantum: time.Duration(h.StepMs) * time.Millisecond, Strikes: h.Strikes, XPRate: h.XPRate, Ephemeral: true,
	}, guids)
	p.tick = r.from - 1
	return p
}

// Say implements script. Operations for the world itself, as leases of GUIDs, are for each part.
func (s *recordedPart) Say(tick uint64, visit func(frame.Item)) {
	if tick-s.from.from >= uint64(len(s.from.inboxes)) {
		panic("bench: a recording is over")
	}
	inbox := &s.from.inboxes[tick-s.from.from]
	for i := range inbox.Len() {
		it := inbox.At(i)
		if it.Session != frame.NoSession {
			number, ok := s.numbers[it.Session]
			if !ok || tick < s.entered[number] {
				continue // of a client that is not there to the end
			}
			it.Session = number
		}
		visit(it)
	}
}

package frame

import (
	"maps"
	"slices"

	"muster/components"
	"muster/ecs/grid"
	"muster/net/protocol/msg"
	"muster/net/protocol/update"
	"muster/net/protocol/wire"
)

// Bridge makes, in f, the frame of a tick at the end of a gap: of what happened in cells since its observers were given a frame, nothing is there, and of
// what concerned their sessions the private halves, in order. It ends the views of all observers, whose clients forget what they know by the
// census, and then has what was direct, but for values of subjects that they have forgotten. The frame after it is to give each observer that is in
// the world a view. If it fails, f is empty.
func (d *Decoder) Bridge(f *Frame, tick uint64, views map[uint32]grid.View, census *Census, private [][]byte, local func(world uint32) (session uint32, ok bool)) error {
	d.err, d.bridge = nil, make(map[uint32]*bridged)
	defer func() { d.bridge = nil }()
	var seen grid.Set
	for session, v := range views {
		seen.AddView(v)
		d.builder.meet(session)
		d.bridge[session] = &bridged{direct: direct{session: session, looked: true}}
	}
	for at, guids := range census.cells {
		if !seen.Has(at) {
			continue
		}
		for _, guid := range guids {
			d.builder.Resident(at, guid, Span{}, Span{})
		}
	}
	for _, half := range private {
		d.read(half, func() { d.private(local) })
	}
	for _, session := range slices.Sorted(maps.Keys(d.bridge)) {
		of := d.bridge[session]
		d.builder.looks = append(d.builder.looks, of.direct)
		for _, packet := range of.packets {
			d.builder.Send(session, Last, packet)
		}
	}
	if d.err != nil {
		d.builder.empty()
	}
	d.builder.Build(f, tick)
	d.half = nil
	return d.err
}

// A bridged is what a session has in a frame that bridges a gap.
type bridged struct {
	direct
	packets []Span // all of them last, so that the order of ticks is kept
}

// bridgeDirect adds what was direct for a session in a tick of a gap. A login is of another client, which is sent nothing of what was before.
func (d *Decoder) bridgeDirect(tick direct, parts [places]Span) {
	of := d.bridge[tick.session]
	if of == nil {
		of = &bridged{direct: direct{session: tick.session}}
		d.bridge[tick.session] = of
	}
	of.left = of.left || tick.left
	if tick.resumed != 0 {
		of.resumed, of.packets = tick.resumed, of.packets[:0]
	}
	for _, s := range parts {
		for s.Len > 0 {
			op, payload, header, ok := wire.ServerHeader(d.builder.In(s))
			n := header + payload
			if !ok || payload < 0 || n > int(s.Len) {
				d.fail("a packet beyond its part")
				return
			}
			if op == msg.OpLoginVerifyWorld {
				of.packets, of.left = of.packets[:0], tick.left
			}
			packet := Span{s.Off, uint32(n)}
			if op != msg.OpUpdateObject || !forgotten(d.builder.In(packet)[header:]) {
				of.packets = append(of.packets, packet)
			}
			s.Off, s.Len = s.Off+uint32(n), s.Len-uint32(n)
		}
	}
}

// forgotten reports whether an update is the values of subjects alone that come into view: creatures and objects of the game, of which one observer sees
// other values than all. Those are sent again with their create blocks.
func forgotten(payload []byte) bool {
	others := true
	err := update.Parse(payload, func(b *update.Block) error {
		high := components.GUIDHigh(b.GUID)
		others = others && b.Type == update.Values && high != components.HighItem && high != components.HighPlayer
		return nil
	})
	return err == nil && others
}

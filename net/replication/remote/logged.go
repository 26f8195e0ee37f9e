package remote

import (
	"encoding/binary"
	"slices"
	"time"

	"muster/net/replication/frame"
)

// The end of a world whose inboxes are logged, so that another process can continue it, does nothing that gateways can see
// before the log has it: frames, reports and acknowledgements wait for Commit. What it knows of gateways is in inboxes too,
// each time that it changes, as items that the world does not read. So an end that is given the inboxes and frames of the log
// is as the one that wrote them, and its gateways go on with it as after an outage of the bus.

// Commit is called with what a tick has read, once the log has it, tick after tick. It may be called from any goroutine.
func (w *World) Commit(n uint64, in *frame.Inbox) {
	w.committed.Lock()
	visitSeats(in, w.committed.roster.set) // our own: it does not fail
	w.committed.tick = n
	w.committed.Unlock()
	if n <= w.config.Exchange.Newest() { // else its frame follows
		signal(w.fresh)
	}
}

// AppendRoster appends what the log has of gateways up to the last Commit, for Restore. It may be called from any goroutine.
func (w *World) AppendRoster(b []byte) []byte {
	w.committed.Lock()
	defer w.committed.Unlock()
	out := writer{b}
	w.committed.roster.append(&out)
	return out.b
}

// NoGateways is what AppendRoster appends for a world that no gateway has been to.
func NoGateways() []byte {
	var r roster
	var out writer
	r.append(&out)
	return out.b
}

// Restore makes a new end, which has not run, that of a world after tick n: what AppendRoster had appended, and the GUIDs of
// the world's players by session.
func (w *World) Restore(n uint64, b []byte, players map[uint32]uint64) error {
	r, err := readRoster(b)
	if err != nil {
		return err
	}
	w.committed.roster, w.committed.tick, w.sent = r, n, n
	for _, s := range r.seats {
		w.sit(s)
	}
	for session, guid := range players {
		if p := w.owner(session); p != nil {
			p.players[session], w.owners[guid] = guid, p
		}
	}
	w.releaseGone()
	return nil
}

// releaseGone releases the gateways that are gone and whose players are out of the world.
func (w *World) releaseGone() {
	for _, p := range slices.Clone(w.gone) {
		w.release(p)
	}
}

// Follow is Commit for an end that has not run: of a process that steps the world behind the one that serves it. It is called
// with the frame of the tick, too.
func (w *World) Follow(in *frame.Inbox, f *frame.Frame) error {
	if err := visitSeats(in, w.sit); err != nil {
		return err
	}
	for i := range in.Len() {
		it := in.At(i)
		if p := w.owner(it.Session); p != nil {
			w.note(p, &it)
		}
	}
	w.releaseGone()
	w.Commit(f.Tick, in)
	w.discard()
	w.sent = f.Tick
	w.reportFrame(f)
	for _, p := range w.gateways {
		for len(p.reports.kept) > 0 && binary.LittleEndian.Uint64(p.reports.kept[0].body)+w.config.Kept < f.Tick {
			p.reports.acknowledge(p.reports.kept[0].number)
		}
	}
	return nil
}

// Lead has an end serve the gateways when it is run: as the process of a life, and of a log, each a number that no other has,
// lives ascending.
func (w *World) Lead(life, log uint64) {
	w.config.Life, w.births, w.log, w.follows = life, max(w.births, life), log, false
	for _, p := range w.gone {
		p.heard = time.Now()
	}
	for _, p := range w.gateways {
		p.heard, p.backlog = time.Now(), backlog{since: w.sent}
		for i := range p.reports.kept {
			p.reports.kept[i].number = uint64(i + 1) // a gateway begins with 1 when a process continues the world
		}
		p.reports.next = uint64(len(p.reports.kept))
	}
}

// sit makes a gateway as its seat is. One that is gone is released when it is known which players it has.
func (w *World) sit(s seat) {
	p := w.born(s.birth)
	if p == nil {
		p = &peer{number: s.number, life: s.life, birth: s.birth, subject: w.config.Address.to(s.number), players: make(map[uint32]uint64)}
		if !s.gone {
			w.gateways[s.number] = p
		}
	}
	if s.gone && !p.gone {
		if w.gateways[s.number] == p {
			delete(w.gateways, s.number)
		}
		w.gone = append(w.gone, p)
	}
	w.births = max(w.births, s.birth)
	p.input.last, p.gone = s.input, s.gone
	w.free(p)
	p.blocks = append(p.blocks[:0], s.blocks...)
	for _, block := range p.blocks {
		for uint32(len(w.blocks)) <= block {
			w.blocks, w.freed = append(w.blocks, nil), append(w.freed, time.Time{})
		}
		w.blocks[block] = p
	}
}

// born is the gateway with a birth, nil if there is none.
func (w *World) born(birth uint64) *peer {
	for _, p := range w.gateways {
		if p.birth == birth {
			return p
		}
	}
	for _, p := range w.gone {
		if p.birth == birth {
			return p
		}
	}
	return nil
}

// seat adds a gateway to an inbox as it is, with what it has sent up to a message, if inboxes are logged.
func (w *World) seat(p *peer, input uint64, in *frame.Inbox) {
	if !w.config.Logged {
		return
	}
	var body writer
	s := seat{number: p.number, life: p.life, birth: p.birth, input: input, gone: p.gone, blocks: p.blocks}
	s.append(&body)
	if in.Add(frame.Item{Session: frame.NoSession, AtMs: w.config.Exchange.NowMs(), Op: frame.OpGateway, Body: body.b}) != nil {
		w.config.Metric.Count(InputLost)
	}
}

// settled is what a gateway may know: the last message of input that it has sent, and its blocks of sessions. It is not ok if
// that is nothing yet.
func (w *World) settled(p *peer) (input uint64, blocks []uint32, ok bool) {
	if !w.config.Logged {
		return p.input.last, p.blocks, true
	}
	w.committed.Lock()
	defer w.committed.Unlock()
	if s := w.committed.roster.of(p.birth); s != nil {
		return s.input, s.blocks, true
	}
	return 0, nil, false
}

// newest is the last tick whose frame gateways may see.
func (w *World) newest() uint64 {
	if !w.config.Logged {
		return w.config.Exchange.Newest()
	}
	w.committed.Lock()
	defer w.committed.Unlock()
	return w.committed.tick
}

// discard drops what the exchange keeps besides frames: reports are made of frames.
func (w *World) discard() {
	x := w.config.Exchange
	x.Departed()
	x.Answers()
	x.Wanted()
}

// reportFrame has the gateways told what a frame has for them besides what they read in it.
func (w *World) reportFrame(f *frame.Frame) {
	of := func(p *peer) *report {
		if w.reports[p] == nil {
			w.reports[p] = new(report)
		}
		return w.reports[p]
	}
	for _, a := range f.Answers {
		if p := w.gateways[uint32(a.ID>>56)]; p != nil {
			of(p).answers = append(of(p).answers, frame.Answered{ID: a.ID & (1<<56 - 1), Text: string(f.In(a.Text))})
		}
	}
	for i := range f.Saves {
		s := &f.Saves[i]
		if p := w.owners[s.GUID]; p != nil {
			of(p).saves = append(of(p).saves, save{*s, f.In(s.Lists)})
		}
	}
	if f.Wants > 0 {
		w.wants, w.lender = f.Wants, nil
	}
	for p, r := range w.reports {
		if r.empty() { // it may have gone since the last frame
			delete(w.reports, p)
			continue
		}
		for i, part := range r.parts() {
			part.tick, part.part = f.Tick, uint64(i)
			w.tell(p, &part)
		}
		r.reset()
	}
	for i := range f.Left {
		w.left(f.Left[i].Session)
	}
}

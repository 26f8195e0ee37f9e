package remote

import (
	"cmp"
	"context"
	"encoding/binary"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"muster/internal/metric"
	"muster/net/replication/frame"
)

// WorldConfig is what a World is made with.
type WorldConfig struct {
	Bus      Bus
	Address  Address
	Exchange *frame.Exchange // of the world; the World sets Published and Saving of it
	// Life is another number for each process that has the world, ascending.
	Life uint64
	// Clocked is set if Life is the time, by a clock that may have been set back since an earlier process began: a world that has had no gateway yet takes a greater
	// life than a gateway knows that has no world.
	Clocked bool
	// Made is a number for what the world is made of, which both ends must have alike.
	Made   uint64
	Metric *metric.Table
	Log    *slog.Logger // default slog.Default()
	// Logged is set if inboxes are logged: Follow is called with what the log has, then Lead, and Commit with what it is given.
	Logged bool
	// Sent is called by the goroutine of Run with the tick of each frame that Run has published; nil does nothing.
	Sent func(tick uint64)
	// Whole is up to how many bytes of packets a frame is sent to all gateways whole; default 16 KiB. A longer one is divided by regions, each of which has
	// a subject, and gateways take those that they need.
	Whole int
	// Kept is for how many ticks of a log an end that follows keeps reports.
	Kept uint64
}

// A World is the end of a world that has its gateways in other processes. One goroutine, that of Run, owns it.
type World struct {
	config   WorldConfig
	fresh    chan struct{} // holds a token after a frame was published
	mail     chan []byte
	gateways map[uint32]*peer
	births   uint64            // gateways so far
	gone     []*peer           // gateways that are no more and have players
	blocks   []*peer           // which gateway has each block of sessions; nil if none
	freed    []time.Time       // when each was given back
	wants    uint32            // items for which GUIDs are wanted
	lender   *peer             // that was asked for them
	strange  map[uint32]uint64 // lives of gateways of other worlds that the log has, by their number
	owners   map[uint64]*peer  // of players, by guid
	leaving  map[uint64]moment // since when players are to leave for another gateway, by guid
	sent     uint64            // tick of the last frame that was published
	window   frame.Window
	encoder  frame.Encoder
	shared   []byte
	private  []byte
	arrived  frame.Inbox // of a gateway, and what of it is posted
	checked  frame.Inbox
	out      writer
	regions  []frame.Region          // of the frame
	looks    []frame.Region          // of the gateway
	toAll    string                  // subject of what all gateways read
	subjects map[frame.Region]string // of those that there were so far
	saves    frame.Saves
	saved    time.Time         // when snapshots were reported last
	reports  map[*peer]*report // empty, of those that the last frame with something to report had one for; of a world with a log

	settling chan *settling
	settles  *settling // nil if nothing waits for it
	handings chan *handingOver
	handing  *handingOver // nil if the players stay

	follows   bool   // another process serves the gateways
	log       uint64 // number of the log of inboxes, 0 if there is none
	committed struct {
		sync.Mutex
		tick   uint64
		roster roster
	}
}

// A moment is a time, and the world's last tick then.
type moment struct {
	at   time.Time
	tick uint64
}

// A peer is a gateway as a world sees it.
type peer struct {
	number         uint32
	life           uint64
	birth          uint64 // another number for each that the world has known
	subject        string
	heard          time.Time
	welcomed       time.Time // when it was sent the last heartbeat
	owed           bool      // its hello is not answered
	input          incoming
	reports        outgoing
	blocks         []uint32
	players        map[uint32]uint64 // guids, by session
	gone, recalled bool
	seen           uint64 // the last tick that it says to have of this process
	backlog        backlog
}

// NewWorld returns the end of a world. It is to be made before the world starts.
func NewWorld(config WorldConfig) *World {
	config.Log = cmp.Or(config.Log, slog.Default())
	config.Metric.Declare(counted()...)
	config.Whole = cmp.Or(config.Whole, wholeFrame)
	w := &World{
		toAll: config.Address.out(), subjects: make(map[frame.Region]string), reports: make(map[*peer]*report),
		config: config, fresh: make(chan struct{}, 1), mail: make(chan []byte, maxMail), settling: make(chan *settling), handings: make(chan *handingOver),
		gateways: make(map[uint32]*peer), owners: make(map[uint64]*peer), leaving: make(map[uint64]moment), strange: make(map[uint32]uint64),
		follows: config.Logged,
	}
	config.Exchange.Saving, config.Exchange.KeepsSaves = !config.Logged, config.Logged
	config.Exchange.Published = w.published
	return w
}

// published is called after a new frame, and when the world has ended. A frame that the log has not is nothing to do: Commit follows.
func (w *World) published(tick uint64) {
	if tick <= w.newest() || w.config.Exchange.Stopped() {
		signal(w.fresh)
	}
}

// Run serves gateways until ctx is done.
func (w *World) Run(ctx context.Context) error {
	stop, err := w.config.Bus.Subscribe(w.config.Address.in(), mailTo(w.mail, w.config.Metric))
	if err != nil {
		return err
	}
	defer stop()
	look := newLooks()
	defer look.timer.Stop()
	w.look() // to gateways of a world that is continued
	for {
		look.follow(w.busy(), w.rest())
		select {
		case m := <-w.mail:
			w.receive(m)
		case <-w.fresh:
			w.answer()
			w.publish()
			w.report()
			if look.near() {
				look.done()
				w.look()
			}
		case <-look.timer.C:
			look.done()
			w.look()
		case w.settles = <-w.settling:
			w.look()
		case w.handing = <-w.handings:
			w.look()
		case <-ctx.Done():
			if !w.config.Logged {
				w.saved = time.Time{}
				w.report() // snapshots that were to be reported later: there is no later
				w.bye()
			}
			return nil
		}
		w.checkSettled()
		w.checkHandedOver()
	}
}

// bye says to gateways that the world has ended in order. One that it does not reach, or not after all reports, finds it silent, or begun anew.
func (w *World) bye() {
	if w.config.Exchange.Stopped() {
		return // it has failed before
	}
	for _, p := range w.gateways {
		w.out.begin(kindBye, w.config.Life)
		w.out.number(p.reports.next)
		w.send(p)
	}
}

// receive handles a message of a gateway.
func (w *World) receive(b []byte) {
	m, kind, life := read(b)
	number := m.number()
	if m.err != nil || number == 0 || number > maxGateways {
		w.config.Metric.Count(Malformed)
		return
	}
	p := w.gateways[uint32(number)]
	if kind == kindHello {
		p = w.hello(p, uint32(number), life, m)
	}
	if m.err != nil {
		w.config.Metric.Count(Malformed)
		return
	}
	if p == nil || p.life != life {
		return // it sends a hello soon
	}
	p.heard = time.Now()
	switch kind {
	case kindHello:
	case kindInput:
		w.input(p, m)
	case kindMissing:
		w.repeat(p, m)
	case kindTime:
		w.out.begin(kindTime, w.config.Life)
		w.out.u64(m.u64())
		w.out.u64(uint64(w.config.Exchange.Now()))
		w.send(p)
	case kindBye:
		w.drop(p)
	default:
		m.fail("kind %d", kind)
	}
	if m.err != nil {
		w.config.Metric.Count(Malformed)
		w.config.Log.Warn("malformed message", "gateway", p.number, "err", m.err)
	}
}

// hello notes a gateway, and gives it the sessions that it wants.
func (w *World) hello(p *peer, number uint32, life uint64, m *reader) *peer {
	fresh := false // what it has is new
	reports, sessions, world, made, seen := m.number(), m.number(), m.u64(), m.u64(), m.number()
	if m.err != nil || p != nil && life < p.life {
		return p
	}
	if made != w.config.Made {
		w.config.Metric.Count(OtherWorld)
		if w.strange[number] == life {
			return nil
		}
		w.strange[number] = life
		w.config.Log.Warn("a gateway of another world is not answered: its seed, creatures, start or step are not those here", "gateway", number, "map", w.config.Address.Map)
		return nil
	}
	if p != nil && p.life != life {
		w.drop(p)
		p = nil
	}
	if w.config.Clocked && w.births == 0 && world > w.config.Life {
		if seen > 0 { // it has that world, or has not missed it for long yet: this one may be the older
			return p
		}
		w.config.Life = world + 1 + rand.Uint64N(lifeSpread)
	}
	if p == nil && world > w.config.Life && w.releases() {
		return nil // it waits for the world that follows this one
	}
	if p == nil {
		w.births++
		p = &peer{number: number, life: life, birth: w.births, subject: w.config.Address.to(number), players: make(map[uint32]uint64), backlog: backlog{since: w.sent}}
		w.gateways[number] = p
		fresh = true
		w.config.Log.Info("a gateway has come", "gateway", number, "map", w.config.Address.Map)
	}
	if world == w.config.Life {
		p.reports.acknowledge(reports)
		p.seen = seen
		p.backlog.forget(seen)
	}
	for uint64(len(p.blocks))*blockSessions < sessions {
		if !w.give(p) {
			w.config.Metric.Count(NoSessions)
			break
		}
		fresh = true
	}
	if fresh && w.config.Logged {
		var in frame.Inbox
		w.seat(p, p.input.last, &in)
		w.config.Exchange.Post(&in) // what has no room is posted with its input
	}
	if p.owed = true; fresh || len(p.players) == 0 || w.config.Exchange.Stopped() {
		w.welcome(p, false)
	}
	return p
}

// lifeSpread is how far the lives of two worlds that follow the same one are apart at most, so that each has its own. In nanoseconds it is some seconds.
const lifeSpread = 1 << 32

// answer answers hellos of gateways with players, just before the frame of a tick: so neither end is woken for them alone. An answer that came
// after the frame would name a tick that the gateway may not have read yet.
func (w *World) answer() {
	for _, p := range w.gateways {
		if p.owed {
			w.welcome(p, false)
		}
	}
}

// recall takes the players of gateways that are long gone out of the world: they should have left by themselves.
func (w *World) recall() {
	if w.config.Exchange.Stopped() {
		return // no player leaves a world that has ended
	}
	var in frame.Inbox
	for _, p := range slices.Clone(w.gone) {
		if time.Since(p.heard) < goneTime {
			continue
		}
		for session, guid := range p.players {
			if p.recalled && w.overdue(guid) {
				w.left(session)
			} else if !p.recalled {
				in.Add(frame.Item{Session: session, AtMs: w.config.Exchange.NowMs(), Op: frame.OpLeave})
			}
		}
		p.recalled = w.config.Exchange.Post(&in) == nil || p.recalled // else it is tried again
		in.Reset()
	}
}

// give gives a gateway a block of sessions. It is not ok if there are no more.
func (w *World) give(p *peer) (ok bool) {
	at := 0
	for at < len(w.blocks) && (w.blocks[at] != nil || time.Since(w.freed[at]) < quarantine) {
		at++
	}
	if at == len(w.blocks) {
		if at == maxBlocks {
			return false
		}
		w.blocks, w.freed = append(w.blocks, nil), append(w.freed, time.Time{})
	}
	w.blocks[at] = p
	p.blocks = append(p.blocks, uint32(at))
	return true
}

// owner is the gateway of a session, nil if there is none.
func (w *World) owner(session uint32) *peer {
	if block := session / blockSessions; block < uint32(len(w.blocks)) {
		return w.blocks[block]
	}
	return nil
}

// welcome is the heartbeat to a gateway. If it asks, the gateway answers it at once with a hello: so the answer to a hello never asks, or the two
// would go to and fro as fast as the bus is.
func (w *World) welcome(p *peer, asks bool) {
	input, blocks, ok := w.settled(p)
	if !ok {
		return
	}
	p.welcomed, p.owed = time.Now(), false
	w.out.begin(kindWelcome, w.config.Life)
	w.out.u64(p.life)
	w.out.number(p.birth)
	w.out.number(input)
	w.out.number(w.sent)
	w.out.flag(w.config.Exchange.Stopped())
	w.out.flag(asks)
	w.out.u64(w.log)
	w.out.number(uint64(len(blocks)))
	for _, block := range blocks {
		w.out.number(uint64(block))
	}
	w.send(p)
}

// input gives the world what a gateway has for it.
func (w *World) input(p *peer, m *reader) {
	number, life := m.number(), m.u64()
	if m.err != nil || life != w.config.Life {
		return
	}
	if p.input.take(number, m.rest(), func(body []byte) bool {
		taken, err := w.post(p, body)
		if err != nil {
			m.fail("%v", err)
		}
		return taken
	}) {
		w.config.Metric.Count(InputRepeated)
		w.welcome(p, false)
	}
}

// post gives the world an inbox of a gateway. It is not taken while a character that it brings from another map is in the world through
// another gateway, which is over then: that one has lost its claim.
func (w *World) post(p *peer, body []byte) (taken bool, err error) {
	in, checked := &w.arrived, &w.checked
	checked.Reset()
	if err := in.UnmarshalBinary(body); err != nil {
		return true, err
	}
	if w.expel(p, in) {
		return false, nil
	}
	for i := range in.Len() {
		it := in.At(i)
		switch {
		case it.Session != frame.NoSession && w.owner(it.Session) != p:
			w.config.Metric.Count(ForeignSession)
		case checked.Add(it) != nil:
			w.config.Metric.Count(InputLost)
		default:
			last := checked.At(checked.Len() - 1)
			w.note(p, &last)
		}
	}
	w.seat(p, p.input.last+1, checked)
	if w.config.Exchange.Post(checked) != nil {
		w.config.Metric.Add(InputLost, uint64(checked.Len()))
	}
	return true, nil
}

// expel takes the characters that an inbox brings from another map out of the world if they are there through another gateway, and
// reports whether some are.
func (w *World) expel(p *peer, in *frame.Inbox) (some bool) {
	if w.config.Exchange.Stopped() {
		return false // no player leaves a world that has ended
	}
	var out frame.Inbox
	for i := range in.Len() {
		it := in.At(i)
		guid, ok := entering(&it)
		if !ok || it.Op == frame.OpEnter || w.owner(it.Session) != p { // a character that enters goes on where it is
			continue
		}
		other := w.owners[guid]
		if other == nil || other == p {
			continue
		}
		for session, player := range other.players {
			switch {
			case player != guid:
			case w.overdue(guid):
				w.left(session)
			default:
				some = true
				w.config.Metric.Count(Expelled)
				out.Add(frame.Item{Session: session, AtMs: w.config.Exchange.NowMs(), Op: frame.OpLeave})
			}
		}
	}
	w.config.Exchange.Post(&out) // what has no room is tried again with the inbox
	return some
}

// overdue reports whether a character that is to leave should have left long ago: it is not in the world then. It begins with the first call.
func (w *World) overdue(guid uint64) bool {
	since, ok := w.leaving[guid]
	if !ok {
		w.leaving[guid] = moment{time.Now(), w.sent}
		return false
	}
	if time.Since(since.at) < leaveTime || w.sent < since.tick+leaveTicks {
		return false
	}
	w.config.Metric.Count(NotThere)
	return true
}

// entering is the GUID of the character that an item brings. It is not ok if it brings none. A body that is too short is refused by
// the world.
func entering(it *frame.Item) (guid uint64, ok bool) {
	if it.Op != frame.OpEnter && it.Op != frame.OpArrive || len(it.Body) < 8 {
		return 0, false
	}
	return binary.LittleEndian.Uint64(it.Body), true // Character.Wire begins with it
}

// note notes which players a gateway has, that commands are its own, and that items have been got.
func (w *World) note(p *peer, it *frame.Item) {
	switch it.Op {
	case frame.OpEnter, frame.OpArrive:
		if guid, ok := entering(it); ok {
			w.forget(guid)
			p.players[it.Session], w.owners[guid] = guid, p
		}
	case frame.OpCommand, frame.OpReload:
		if len(it.Body) >= 8 {
			it.Body[7] = byte(p.number) // Command.Wire and Reload.Wire begin with the ID
		}
	case frame.OpLease:
		w.wants, w.lender = 0, nil
	}
}

// forget forgets a player whose gateway is not there any more, since another one brings it: its world gives it the other's session.
func (w *World) forget(guid uint64) {
	old := w.owners[guid]
	if old == nil {
		return
	}
	for session, other := range old.players {
		if other == guid {
			delete(old.players, session)
		}
	}
	delete(w.leaving, guid)
	w.release(old)
}

// left forgets a player.
func (w *World) left(session uint32) {
	p := w.owner(session)
	if p == nil {
		return
	}
	if guid, ok := p.players[session]; ok {
		delete(p.players, session)
		delete(w.leaving, guid)
		if w.owners[guid] == p {
			delete(w.owners, guid)
		}
	}
	w.release(p)
}

// release frees the sessions of a gateway that is gone, once all of its players are out of the world.
func (w *World) release(p *peer) {
	if p.gone && len(p.players) == 0 {
		w.free(p)
		p.blocks = nil
		if !w.follows && w.config.Logged {
			var in frame.Inbox
			w.seat(p, p.input.last, &in)
			w.config.Exchange.Post(&in) // what has no room is only that its sessions are free
		}
		w.gone = slices.DeleteFunc(w.gone, func(other *peer) bool { return other == p })
	}
}

// free gives back the blocks of sessions that a gateway has and no other was given since.
func (w *World) free(p *peer) {
	for _, block := range p.blocks {
		if w.blocks[block] == p {
			w.blocks[block], w.freed[block] = nil, time.Now()
		}
	}
}

// report has the gateways told what the world keeps for them. A player's snapshots are for the gateway that has it, an answer
// for the one that asked, and items are got by the first.
func (w *World) report() {
	if w.config.Logged { // publish has done so
		w.discard()
		w.borrow()
		return
	}
	x := w.config.Exchange
	departed := x.Departed() // they are in frames too
	reports := make(map[*peer]*report)
	of := func(p *peer) *report {
		if reports[p] == nil {
			reports[p] = new(report)
		}
		return reports[p]
	}
	for _, a := range x.Answers() {
		if p := w.gateways[uint32(a.ID>>56)]; p != nil {
			a.ID &= 1<<56 - 1
			of(p).answers = append(of(p).answers, a)
		}
	}
	if now := time.Now(); len(departed) > 0 || now.Sub(w.saved) >= saveEvery || x.SavesSoon() || x.Stopped() {
		w.saved = now
		x.Saves(&w.saves)
		for i := range w.saves.Len() {
			s, lists := w.saves.At(i)
			if p := w.owners[s.GUID]; p != nil {
				of(p).saves = append(of(p).saves, save{*s, lists})
			}
		}
	}
	if n := x.Wanted(); n > 0 {
		w.wants, w.lender = n, nil
	}
	for p, r := range reports {
		for _, part := range r.parts() {
			w.tell(p, &part)
		}
	}
	for _, d := range departed { // whose last snapshots are on their way
		w.left(d.Session)
	}
	w.borrow()
}

// borrow asks a gateway for GUIDs for items, and another one if that is gone, until some come.
func (w *World) borrow() {
	if p := w.first(); w.wants > 0 && p != nil && p != w.lender {
		w.lender = p
		w.tell(p, &report{wants: w.wants})
	}
}

// tell sends a gateway a report.
func (w *World) tell(p *peer, r *report) {
	if p.reports.full() {
		w.config.Metric.Count(ReportLost)
		return
	}
	body := writer{b: p.reports.room()}
	r.append(&body)
	if w.follows {
		p.reports.add(body.b, time.Time{}) // it is sent when this process leads
		return
	}
	w.sendReport(p, p.reports.add(body.b, time.Now()), body.b)
}

func (w *World) sendReport(p *peer, number uint64, body []byte) {
	w.out.begin(kindReport, w.config.Life)
	w.out.u64(p.life)
	w.out.number(number)
	w.out.bytes(body)
	w.send(p)
}

// first is the gateway with the lowest number, nil if there is none.
func (w *World) first() (p *peer) {
	for _, other := range w.gateways {
		if p == nil || other.number < p.number {
			p = other
		}
	}
	return p
}

// look repeats what is not acknowledged, sends heartbeats, and gives up gateways that are silent.
func (w *World) look() {
	if w.releases() {
		w.bye()
	}
	now := time.Now()
	for _, p := range w.gateways {
		if now.Sub(p.heard) > silence {
			w.config.Log.Warn("a gateway is silent: its players have lost their connection", "gateway", p.number, "players", len(p.players))
			w.drop(p)
			continue
		}
		p.reports.due(now, repeatAge, func(number uint64, body []byte) { w.sendReport(p, number, body) })
		every := heartbeat
		if len(p.players) == 0 && len(p.reports.kept) == 0 {
			every = idleBeat
		}
		if w.asks() || p.owed || now.Sub(p.welcomed) >= every+lookEvery { // else its hellos are answered
			w.welcome(p, w.asks())
		}
	}
	w.recall()
	w.borrow()
}

// busy reports whether something waits for a gateway, so that look is to be called soon.
func (w *World) busy() bool {
	now := time.Now()
	for _, p := range w.gateways {
		if p.owed || p.reports.late(now) {
			return true
		}
	}
	return w.wants > 0 || w.asks()
}

// rest is how often look is to be called otherwise: less often while no gateway has players there.
func (w *World) rest() time.Duration {
	for _, p := range w.gateways {
		if len(p.players) > 0 || len(p.reports.kept) > 0 {
			return heartbeat
		}
	}
	return idleBeat
}

// drop forgets a gateway. Its players have lost their connection, and wait for another; its sessions are another's once they are out of the
// world.
func (w *World) drop(p *peer) {
	delete(w.gateways, p.number)
	var in frame.Inbox
	for session := range p.players {
		in.Add(frame.Item{Session: session, AtMs: w.config.Exchange.NowMs(), Op: frame.OpAbandon})
	}
	p.gone = true
	w.seat(p, p.input.last, &in)
	if w.config.Exchange.Post(&in) != nil {
		w.config.Metric.Add(InputLost, uint64(in.Len()))
	}
	w.gone = append(w.gone, p)
	w.release(p)
}

func (w *World) send(p *peer) { w.publishOut(p.subject) }

// publishOut publishes what was written. What is not sent is asked for again.
func (w *World) publishOut(subject string) {
	if err := w.config.Bus.Publish(subject, w.out.b); err != nil {
		w.config.Metric.Count(NotSent)
	}
}

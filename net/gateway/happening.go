package gateway

import (
	"muster/net/gateway/session"
	"muster/net/replication/change"
	"muster/net/replication/frame"
)

// A Happening is something that has happened to a connection, for observers of the server.
type Happening struct {
	Kind      HappeningKind
	Session   uint64 // number of the connection
	Account   string // "" before the login
	Character string // "" before one is chosen
	Opcode    string // of what was refused, or was read last; may be ""
	Reason    string // of a refusal or a close, as it is counted
	Detail    any    // of a refusal: nil, or what fmt.Sprint makes a text of
	To        string // of a whisper: the character that it is for
	Channel   string // that was spoken in
	Text      string // of a whisper, or of speech in a channel
}

// A HappeningKind is what has happened.
type HappeningKind uint8

// The kinds.
const (
	LoggedIn HappeningKind = iota + 1 // the account is on the character screen, or waits for a place
	Refused
	Closed
	Whispered
	SpokeInChannel
)

// Observe has a function called with what happens to connections, from any goroutine; it does not wait. It is called before Listen.
func (g *Gate) Observe(happened func(Happening)) { g.happened = happened }

// happen reports what has happened to the connection to the observer, if there is one. It runs on the connection's loop.
func (c *conn) happen(h Happening) {
	if c.gate.happened == nil {
		return
	}
	h.Session, h.Account, h.Character = c.id, c.session.Name(), c.session.Character().Name
	c.gate.happened(h)
}

// happenRefused reports what a session did not use.
func (c *conn) happenRefused(r *session.Refusal) {
	if c.gate.happened == nil {
		return
	}
	h := Happening{Kind: Refused, Reason: r.Reason, Detail: r.Detail}
	if r.Op != 0 {
		h.Opcode = opcodeName(r.Op)
	}
	c.happen(h)
}

// happenClosed reports that the connection is closed.
func (c *conn) happenClosed(reason string) {
	h := Happening{Kind: Closed, Reason: reason}
	if op, ok := c.session.LastOpcode(); ok {
		h.Opcode = opcodeName(op)
	}
	c.happen(h)
}

// NoteLevels takes the new levels of players from a frame, for what the gateway says of those that are in a world: frame.Exchange.Happened.
func (g *Gate) NoteLevels(f *frame.Frame) {
	for i := range f.Happenings {
		if h := &f.Happenings[i]; h.Kind == change.HappenedLevel {
			g.roster.noteLevel(h.Subject, uint8(h.Amount))
		}
	}
}

func (r *roster) noteLevel(guid uint64, level uint8) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if p := r.online[guid]; p != nil {
		p.character.Level = level
	}
}

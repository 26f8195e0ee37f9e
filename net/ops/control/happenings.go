package control

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"muster/components"
	"muster/net/gateway"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/change"
	"muster/net/replication/frame"
)

// A Happening is something that has happened. What does not apply is left out.
type Happening struct {
	Number    uint64  `json:"number" doc:"ascending by one"`
	NowMs     int64   `json:"now_ms" doc:"the time of the worlds"`
	Type      string  `json:"type" doc:"one of enter, leave, logout, login, close, refusal, kill, death, level, experience, item, money, spell, cast_failed, chat, channel, whisper, event_begin, event_end, missed"`
	Name      string  `json:"name,omitempty" doc:"the character that it is about"`
	GUID      string  `json:"guid,omitempty" doc:"of the unit that it is about, as in 0x1"`
	Account   string  `json:"account,omitempty" doc:"of the connection that it is about"`
	Session   uint64  `json:"session,omitempty" doc:"the number of that"`
	Map       *uint32 `json:"map,omitempty"`
	Other     string  `json:"other,omitempty" doc:"GUID of the other unit: what was killed, what killed, what was looted, or what a spell has hit first"`
	OtherName string  `json:"other_name,omitempty" doc:"if that is a character, or the recipient of a whisper"`
	Entry     uint32  `json:"entry,omitempty" doc:"of the item; of the creature that died"`
	Spell     uint32  `json:"spell,omitempty" doc:"that was cast, or has killed"`
	Event     uint32  `json:"event,omitempty" doc:"the number of the game event that has begun or ended"`
	Channel   string  `json:"channel,omitempty" doc:"that something was said in"`
	Amount    uint32  `json:"amount,omitempty" doc:"the new level, how much experience, how many items, how much copper, why a cast failed, how many happenings were missed"`
	Text      string  `json:"text,omitempty" doc:"what was said; details of a refusal"`
	Opcode    string  `json:"opcode,omitempty" doc:"what was refused, or the last that the connection sent"`
	Reason    string  `json:"reason,omitempty" doc:"why it was refused or closed, as in docs/REFUSALS.md"`
}

// missed is the type of a Happening that stands for some that a world had no room for. No filter holds it back.
const missed = "missed"

// happeningTypes are the types of what worlds report, by change.HappenedEnter and following.
var happeningTypes = [...]string{
	change.HappenedEnter: "enter", change.HappenedLogout: "logout", change.HappenedLeave: "leave", change.HappenedDeath: "death",
	change.HappenedLevel: "level", change.HappenedItem: "item", change.HappenedSpell: "spell", change.HappenedCastFailed: "cast_failed",
	change.HappenedChat: "chat", change.HappenedExperience: "experience", change.HappenedMoney: "money",
	change.HappenedEventBegin: "event_begin", change.HappenedEventEnd: "event_end",
}

// connectionTypes are the types of what a gateway reports.
var connectionTypes = [...]string{gateway.LoggedIn: "login", gateway.Refused: "refusal", gateway.Closed: "close", gateway.Whispered: "whisper", gateway.SpokeInChannel: "channel"}

// knownType reports whether there are happenings of a type.
func knownType(name string) bool {
	return name != "" && (name == "kill" || name == missed || slices.Contains(happeningTypes[:], name) || slices.Contains(connectionTypes[:], name))
}

// Bounds of happenings.
const (
	maxHappenings    = 4096 // that are kept
	maxHappeningText = 256  // bytes
)

// Happenings keeps the last of what happens on a server, numbered, from the first request for them on; before that it keeps nothing.
// It may be used from any goroutine.
type Happenings struct {
	now       func() time.Duration     // of the worlds
	names     func(guid uint64) string // of characters in a world, "" of others
	recording atomic.Bool

	mu      sync.Mutex
	last    uint64        // the number of the newest, 0 before the first
	ring    []Happening   // number n is at (n-1) modulo maxHappenings
	changed chan struct{} // closed by the next; nil if nothing waits for it
}

// NewHappenings returns happenings that tell the time of the worlds, and know the names of characters in a world.
func NewHappenings(now func() time.Duration, names func(guid uint64) string) *Happenings {
	return &Happenings{now: now, names: names}
}

// World returns what takes the happenings of the frames of a map: frame.Exchange.Happened.
func (r *Happenings) World(mapID uint32) func(*frame.Frame) {
	return func(f *frame.Frame) {
		if !r.recording.Load() {
			return
		}
		for i := range f.Happenings {
			r.world(mapID, f, &f.Happenings[i])
		}
		if f.Unlisted > 0 {
			r.add(Happening{Type: missed, Map: &mapID, Amount: f.Unlisted})
		}
	}
}

func (r *Happenings) world(mapID uint32, f *frame.Frame, it *frame.Happening) {
	h := Happening{Type: happeningTypes[it.Kind], Map: &mapID, Amount: it.Amount}
	h.GUID, h.Name = r.unit(it.Subject)
	h.Other, h.OtherName = r.unit(it.Other)
	switch it.Kind {
	case change.HappenedItem:
		h.Entry = it.ID
	case change.HappenedEventBegin, change.HappenedEventEnd:
		h.Event = it.ID
	case change.HappenedChat:
		h.Text = spoken(f.In(it.Said))
	default:
		h.Spell = it.ID
	}
	if it.Kind != change.HappenedDeath {
		r.add(h)
		return
	}
	h.Entry = entryOf(it.Subject)
	r.add(h)
	if it.Other != 0 {
		h.Type, h.GUID, h.Name, h.Other, h.OtherName = "kill", h.Other, h.OtherName, h.GUID, h.Name
		r.add(h)
	}
}

// unit is a GUID as text, and the name of the character that has it.
func (r *Happenings) unit(guid uint64) (text, name string) {
	if guid == 0 {
		return "", ""
	}
	if entryOf(guid) == 0 {
		name = r.names(guid)
	}
	return guidText(guid), name
}

// entryOf is the entry of a creature, 0 of another unit.
func entryOf(guid uint64) uint32 {
	if uint16(guid>>48) != components.HighCreature {
		return 0
	}
	return uint32(guid>>24) & 0xFFFFFF
}

func guidText(guid uint64) string { return fmt.Sprintf("0x%x", guid) }

// spoken is the text of a packet of chat.
func spoken(packet []byte) string {
	op, n, header, ok := wire.ServerHeader(packet)
	if !ok || n < 0 || header+n > len(packet) {
		return ""
	}
	var said msg.Chat
	var m msg.Message = &said
	if op == msg.OpGMChat {
		m = (*msg.GMChat)(&said)
	}
	if msg.Decode(wire.V12340, packet[header:header+n], m) != nil {
		return ""
	}
	return strings.Clone(said.Text)
}

// Connection takes what has happened to a connection: gateway.Gate.Observe.
func (r *Happenings) Connection(it gateway.Happening) {
	if !r.recording.Load() {
		return
	}
	if it.Detail != nil {
		it.Text += fmt.Sprint(it.Detail)
	}
	r.add(Happening{
		Type: connectionTypes[it.Kind], Name: it.Character, Account: it.Account, Session: it.Session, OtherName: it.To,
		Channel: it.Channel, Text: it.Text, Opcode: it.Opcode, Reason: it.Reason,
	})
}

// add numbers a happening and keeps it, in the place of the oldest if there is no room.
func (r *Happenings) add(h Happening) {
	h.NowMs = r.now().Milliseconds()
	if len(h.Text) > maxHappeningText {
		h.Text = strings.ToValidUTF8(h.Text[:maxHappeningText], "")
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	at := int(r.last % maxHappenings)
	r.last++
	if h.Number = r.last; at < len(r.ring) {
		r.ring[at] = h
	} else {
		r.ring = append(r.ring, h)
	}
	if r.changed != nil {
		close(r.changed)
		r.changed = nil
	}
}

// record has what happens from now on kept, and returns the number of the newest.
func (r *Happenings) record() (last uint64) {
	r.recording.Store(true)
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.last
}

// A filter says which happenings are meant.
type filter struct {
	types []string // none: all
	name  string   // of the character or the account, in any case; "" all
}

func (f *filter) has(h *Happening) bool {
	if h.Type == missed {
		return true
	}
	return (len(f.types) == 0 || slices.Contains(f.types, h.Type)) &&
		(f.name == "" || strings.EqualFold(f.name, h.Name) || strings.EqualFold(f.name, h.Account))
}

// A passage is some happenings in their order.
type passage struct {
	found []Happening
	next  uint64 // the number after which the next ones are
	gap   bool   // some before them are no longer kept
	// changed is closed when there are more; nil if there are already.
	changed <-chan struct{}
}

// after returns happenings after a number, not more than so many. It is not ok if there is none of that number yet.
func (r *Happenings) after(number uint64, f *filter, most int) (p passage, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if number > r.last {
		return p, false
	}
	oldest := r.last - uint64(len(r.ring)) + 1
	if p.gap = number+1 < oldest; p.gap {
		number = oldest - 1
	}
	for p.next = number; p.next < r.last && len(p.found) < most; p.next++ {
		if h := &r.ring[p.next%maxHappenings]; f.has(h) {
			p.found = append(p.found, *h)
		}
	}
	if p.next == r.last {
		if r.changed == nil {
			r.changed = make(chan struct{})
		}
		p.changed = r.changed
	}
	return p, true
}

// count returns how many happenings there are after a number, and the number of the last that it has looked at. It is not ok if some of
// them are no longer kept.
func (r *Happenings) count(number uint64, f *filter) (n int, last uint64, ok bool) {
	p, ok := r.after(number, f, math.MaxInt)
	for i := range p.found {
		if p.found[i].Type == missed {
			return 0, p.next, false
		}
	}
	return len(p.found), p.next, ok && !p.gap
}

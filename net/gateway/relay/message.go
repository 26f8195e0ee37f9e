package relay

import (
	"encoding/binary"
	"errors"
	"strings"

	"muster/net/gateway"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// version is that of all messages, which begin with it, a kind, the number of the gateway that says so and its life. It is raised whenever
// one changes.
const version = 1

// head is the length of what a message begins with.
const head = 3 + 8

// Bounds of texts, in bytes: longer than clients may send, and what operators may say.
const (
	maxName    = 64
	maxText    = 4096
	maxLine    = 4096
	maxAnswer  = 64 << 10
	maxPacket  = 8192
	maxAddress = 64
)

// A message is what one gateway says to others.
type message = msg.Message

// A reply is a message that answers a question.
type reply interface {
	message
	question() (id uint64)
}

// kinds make an empty message of each kind; 0 is none.
var kinds = [...]func() message{
	1:  func() message { return new(here) },
	2:  func() message { return new(change) },
	3:  func() message { return new(miss) },
	4:  func() message { return new(state) },
	5:  func() message { return new(said) },
	6:  func() message { return new(whisper) },
	7:  func() message { return new(whispered) },
	8:  func() message { return new(who) },
	9:  func() message { return new(whoFound) },
	10: func() message { return new(find) },
	11: func() message { return new(foundPlayer) },
	12: func() message { return new(kick) },
	13: func() message { return new(kicked) },
	14: func() message { return new(command) },
	15: func() message { return new(done) },
}

func kindOf(m message) byte {
	switch m.(type) {
	case *here:
		return 1
	case *change:
		return 2
	case *miss:
		return 3
	case *state:
		return 4
	case *said:
		return 5
	case *whisper:
		return 6
	case *whispered:
		return 7
	case *who:
		return 8
	case *whoFound:
		return 9
	case *find:
		return 10
	case *foundPlayer:
		return 11
	case *kick:
		return 12
	case *kicked:
		return 13
	case *command:
		return 14
	case *done:
		return 15
	}
	panic("relay: a message of no kind")
}

// appendMessage appends a message of a gateway.
func appendMessage(b []byte, from uint8, life uint64, m message) []byte {
	b = binary.LittleEndian.AppendUint64(append(b, version, kindOf(m), from), life)
	return msg.Append(b, wire.V12340, m)
}

// ErrMessage is the error for bytes that are not a message.
var ErrMessage = errors.New("relay: malformed message")

// read reads a message. What it returns does not alias b.
func read(b []byte) (from uint8, life uint64, m message, err error) {
	if len(b) < head || b[0] != version || b[1] == 0 || int(b[1]) >= len(kinds) {
		return 0, 0, nil, ErrMessage
	}
	m = kinds[b[1]]()
	if msg.Decode(wire.V12340, b[head:], m) != nil {
		return 0, 0, nil, ErrMessage
	}
	return b[2], binary.LittleEndian.Uint64(b[3:]), m, nil
}

// A here is to all, now and then: how many changes of channels there were so far.
type here struct{ Changes uint64 }

func (m *here) Wire(c *wire.Codec) { wire.U64(c, &m.Changes) }

// A change is to all: a player has joined or left a channel.
type change struct {
	Number uint64
	gateway.ChannelChange
}

func (m *change) Wire(c *wire.Codec) {
	wire.U64(c, &m.Number)
	wireMember(c, &m.ChannelChange)
}

func wireMember(c *wire.Codec, m *gateway.ChannelChange) {
	wire.Bool(c, &m.Joined)
	wire.U8(c, &m.Faction)
	wire.CString(c, &m.Name, maxName)
	wire.CString(c, &m.Password, maxName)
	wire.U32(c, &m.ID)
	wire.U64(c, &m.GUID)
	wire.U64(c, &m.Stamp)
}

// A miss is to one: it is to say its state.
type miss struct{}

func (*miss) Wire(*wire.Codec) {}

// A state is to one: a part of all members of channels, up to a change.
type state struct {
	Number  uint64
	Part    uint32 // from 0
	Last    bool
	Members []gateway.ChannelChange
}

func (m *state) Wire(c *wire.Codec) {
	wire.U64(c, &m.Number)
	wire.U32(c, &m.Part)
	wire.Bool(c, &m.Last)
	wire.Slice[uint32](c, &m.Members, maxMembers, wireMember)
}

// A said is to all: what is said on a channel.
type said struct{ gateway.ChannelSpeech }

func (m *said) Wire(c *wire.Codec) {
	wire.U8(c, &m.Faction)
	wire.CString(c, &m.Name, maxName)
	wire.Remainder(c, &m.Packet, maxPacket)
	if c.Reading() && c.Err() == nil {
		if _, n, head, ok := wire.ServerHeader(m.Packet); !ok || head+n != len(m.Packet) {
			c.Fail(wire.ErrValue)
		}
		m.Packet = append([]byte(nil), m.Packet...)
	}
}

// A whisper is to all.
type whisper struct {
	ID uint64
	gateway.Whisper
}

func (m *whisper) Wire(c *wire.Codec) {
	wire.U64(c, &m.ID)
	wire.U64(c, &m.GUID)
	wire.CString(c, &m.Name, maxName)
	wire.U8(c, &m.Race)
	wire.U8(c, &m.SecurityLevel)
	wire.U8(c, &m.Tag)
	wire.U32(c, &m.Language)
	wire.CString(c, &m.To, maxText)
	wire.CString(c, &m.Text, maxText)
}

// A whispered answers a whisper.
type whispered struct {
	ID uint64
	gateway.WhisperAnswer
}

func (m *whispered) question() uint64 { return m.ID }

func (m *whispered) Wire(c *wire.Codec) {
	wire.U64(c, &m.ID)
	wire.U8(c, &m.Outcome)
	wire.U64(c, &m.GUID)
	wire.CString(c, &m.Name, maxName)
	wire.U32(c, &m.Away)
	wire.CString(c, &m.AwayText, maxText)
	if m.Outcome > gateway.Heard {
		c.Fail(wire.ErrValue)
	}
}

// A who is to all.
type who struct {
	ID uint64
	gateway.WhoQuery
}

func (m *who) Wire(c *wire.Codec) {
	wire.U64(c, &m.ID)
	wire.U8(c, &m.Race)
	wire.U8(c, &m.SecurityLevel)
	m.Query.Wire(c)
}

// A whoFound answers a who.
type whoFound struct {
	ID uint64
	msg.WhoResponse
}

func (m *whoFound) question() uint64 { return m.ID }

func (m *whoFound) Wire(c *wire.Codec) {
	wire.U64(c, &m.ID)
	m.WhoResponse.Wire(c)
}

// A find is to all: which player has a name, or a GUID if the name is empty.
type find struct {
	ID   uint64
	Name string
	GUID uint64
}

func (m *find) Wire(c *wire.Codec) {
	wire.U64(c, &m.ID)
	wire.CString(c, &m.Name, maxName)
	wire.U64(c, &m.GUID)
}

// A foundPlayer answers a find, with what does not change all the time.
type foundPlayer struct {
	ID     uint64
	OK     bool
	Player gateway.OnlinePlayer
}

func (m *foundPlayer) question() uint64 { return m.ID }

func (m *foundPlayer) Wire(c *wire.Codec) {
	p := &m.Player
	wire.U64(c, &m.ID)
	wire.Bool(c, &m.OK)
	wire.U64(c, &p.ID)
	wire.CString(c, &p.Name, maxName)
	wire.U64(c, &p.GUID)
	wire.U32(c, &p.Account)
	wire.U8(c, &p.Level)
	wire.U32(c, &p.Map)
	wire.CString(c, &p.From, maxAddress)
	wire.U8(c, &p.SecurityLevel)
}

// A kick is to all.
type kick struct {
	ID   uint64
	Name string
}

func (m *kick) Wire(c *wire.Codec) {
	wire.U64(c, &m.ID)
	wire.CString(c, &m.Name, maxName)
}

// A kicked answers a kick.
type kicked struct {
	ID uint64
	OK bool
}

func (m *kicked) question() uint64 { return m.ID }

func (m *kicked) Wire(c *wire.Codec) {
	wire.U64(c, &m.ID)
	wire.Bool(c, &m.OK)
}

// A command is to all: a line for the world of a character.
type command struct {
	ID    uint64
	Name  string
	Level uint8
	Line  string
}

func (m *command) Wire(c *wire.Codec) {
	wire.U64(c, &m.ID)
	wire.CString(c, &m.Name, maxName)
	wire.U8(c, &m.Level)
	wire.CString(c, &m.Line, maxLine)
}

// The outcomes of a command.
const (
	noPlayer uint8 = iota
	executed
	refused
	silent
	outcomes
)

// A done answers a command.
type done struct {
	ID      uint64
	Outcome uint8
	Text    string // lines, with an end of line behind each
}

func (m *done) question() uint64 { return m.ID }

func (m *done) Wire(c *wire.Codec) {
	wire.U64(c, &m.ID)
	wire.U8(c, &m.Outcome)
	wire.CString(c, &m.Text, maxAnswer)
	if m.Outcome >= outcomes {
		c.Fail(wire.ErrValue)
	}
}

// newDone is the answer with what Gate.Command has returned. Lines that are too many are left out.
func newDone(id uint64, lines []string, err error) *done {
	m := &done{ID: id, Outcome: silent}
	switch {
	case err == nil:
		m.Outcome = executed
	case errors.Is(err, gateway.ErrNoPlayer):
		m.Outcome = noPlayer
	case errors.Is(err, gateway.ErrRefused):
		m.Outcome = refused
	}
	var text strings.Builder
	for _, line := range lines {
		if text.Len()+len(line)+1 > maxAnswer {
			break
		}
		text.WriteString(line + "\n")
	}
	m.Text = text.String()
	return m
}

// said is what Gate.Command has returned.
func (m *done) said() (lines []string, err error) {
	for line := range strings.Lines(m.Text) {
		lines = append(lines, strings.TrimSuffix(line, "\n"))
	}
	switch m.Outcome {
	case executed:
		return lines, nil
	case refused:
		return lines, gateway.ErrRefused
	case noPlayer:
		return nil, gateway.ErrNoPlayer
	}
	return lines, gateway.ErrSilent
}

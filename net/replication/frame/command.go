package frame

import (
	"slices"

	"muster/net/protocol/wire"
)

// MaxCommand bounds the text of a Command, and MaxAnswer that of an Answer, in bytes.
const (
	MaxCommand = 1024
	MaxAnswer  = 16 << 10
)

// A Command is a line that an operator gives to a world: the body of an OpCommand.
type Command struct {
	ID    uint64 // which the Answer repeats
	Level uint8  // of the operator
	Text  string
}

// Wire walks the command.
func (m *Command) Wire(c *wire.Codec) {
	wire.U64(c, &m.ID)
	wire.U8(c, &m.Level)
	wire.CString(c, &m.Text, MaxCommand)
}

// An Answer is what became of a Command: its lines, one below the other.
type Answer struct {
	ID   uint64
	Text Span
}

// Answer gives the result of a command. It is cut off after MaxAnswer bytes.
func (d *Builder) Answer(id uint64, text Span) {
	text.Len = min(text.Len, MaxAnswer)
	d.answers = append(d.answers, Answer{id, text})
}

// An Answered is an Answer that has left its frame.
type Answered struct {
	ID   uint64
	Text string
}

// maxAnswers is how many answers an exchange keeps. Every caller waits for its answer, so that there are more
// only if none is taken.
const maxAnswers = 1024

// answered appends the answers of a frame to those that wait. Beyond maxAnswers the oldest are
// dropped.
func answered(all []Answered, f *Frame) []Answered {
	for _, a := range f.Answers {
		all = append(all, Answered{a.ID, string(f.In(a.Text))})
	}
	return bounded(all)
}

func bounded(all []Answered) []Answered { return slices.Delete(all, 0, max(0, len(all)-maxAnswers)) }

// Answers takes the results of commands since it was last called, in order. At most some thousand are kept.
func (p *Exchange) Answers() []Answered {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := p.answers
	p.answers = nil
	return all
}

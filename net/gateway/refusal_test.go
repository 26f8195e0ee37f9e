package gateway

import (
	"strings"
	"testing"

	"muster/internal/refuse"
	"muster/net/protocol/msg"
)

// A madeTexts is a detail that counts how often its text is made.
type madeTexts int

func (n *madeTexts) String() string {
	*n++
	return "the text"
}

// Details of refusals become a text only in the lines that the log has; all are counted.
func TestRefusalsLeftOutHaveNoText(t *testing.T) {
	r := newRig(t, nil)
	a := r.dial("ANNA").login()
	a.ping(1)
	texts, most := new(madeTexts), 3*refuse.Lines
	r.onLoops(func(l *loop) {
		for _, c := range l.conns {
			for range most {
				c.ignore(ChannelRefused, msg.OpJoinChannel, texts)
			}
		}
	})
	if int(*texts) != refuse.Lines {
		t.Errorf("%d texts were made for %d lines", *texts, refuse.Lines)
	}
	if n := r.metric.Value(ChannelRefused); n != uint64(most) {
		t.Errorf("%d are counted, want %d", n, most)
	}
	if n := strings.Count(r.log.String(), `opcode=CMSG_JOIN_CHANNEL detail="the text"`); n != refuse.Lines {
		t.Errorf("%d lines have the text, want %d", n, refuse.Lines)
	}
}

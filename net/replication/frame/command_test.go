package frame

import (
	"fmt"
	"strings"
	"testing"

	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// Answers outlive their frames, in order and cut to their bound, and are taken once.
func TestAnswers(t *testing.T) {
	port := NewExchange()
	var d Builder
	for n := range uint64(3) {
		d.Bytes = append(d.Bytes, fmt.Sprintf("answer %d", n)...)
		d.Answer(n, d.Cut())
		if n == 2 {
			d.Bytes = append(d.Bytes, strings.Repeat("x", MaxAnswer+1)...)
			d.Answer(9, d.Cut())
		}
		f := port.Write()
		d.Build(f, n+1)
		port.Publish(f)
	}
	all := port.Answers()
	if len(all) != 4 || len(all[3].Text) != MaxAnswer {
		t.Fatalf("%d answers", len(all))
	}
	for n, a := range all[:3] {
		if a.ID != uint64(n) || a.Text != fmt.Sprintf("answer %d", n) {
			t.Errorf("%d: %+v", n, a)
		}
	}
	if again := port.Answers(); len(again) != 0 {
		t.Errorf("taken again: %v", again)
	}
	for n := range uint64(maxAnswers + 5) {
		d.Answer(n, Span{})
		f := port.Write()
		d.Build(f, n+4)
		port.Publish(f)
	}
	if all := port.Answers(); len(all) != maxAnswers || all[0].ID != 5 {
		t.Errorf("%d answers wait, from %d on", len(all), all[0].ID)
	}
}

func TestCommand(t *testing.T) {
	c := Command{ID: 7, Level: 4, Text: "levelup 5"}
	var got Command
	if err := msg.Decode(wire.V12340, msg.Append(nil, wire.V12340, &c), &got); err != nil || got != c {
		t.Errorf("%+v %v", got, err)
	}
}

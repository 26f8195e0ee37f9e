package trace

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"muster/internal/corrupt"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// at is 2010-06-22 12:00:00.000000001 UTC, which is 1277208000 s after 1970, or 0x11B98DE8_B8498001 ns.
var at = time.Unix(1277208000, 1).UTC()

// packets are a ping and its answer of one session, the end of another, and that of the first.
var packets = []Packet{
	{At: at, Session: 7, Account: "ANNA", Direction: msg.ToServer, Bytes: []byte{0, 12, 0xDC, 1, 0, 0, 5, 0, 0, 0, 9, 0, 0, 0}},
	{At: at, Session: 7, Account: "ANNA", Direction: msg.ToClient, Bytes: []byte{0, 6, 0xDD, 1, 5, 0, 0, 0}, Dropped: 3},
	{At: at, Session: 8, Note: "closed.peer", Dropped: 2},
	{At: at, Session: 7, Account: "ANNA", Note: "end", Dropped: 1},
}

// golden is what they are as pcapng, written by hand.
//
// Source: pcapng, "Section Header Block", "Interface Description Block", "Enhanced Packet Block", "Interface Statistics
// Block" and "Options"; LINKTYPE_USER0, link-layer header types.
const golden = `
	0a0d0d0a 2c000000 4d3c2b1a 0100 0000 ffffffffffffffff  # section header of 44 bytes, version 1.0, length not known
	0400 0600 6d7573746572 0000  0000 0000  2c000000       # shb_userappl muster, the end
	01000000 30000000 9300 0000 00000000                   # interface of 48 bytes, link type 147, packets of any length
	0200 0100 37 000000  0300 0400 414e4e41                # if_name 7, if_description ANNA
	0900 0100 09 000000  0000 0000  30000000               # if_tsresol 10^-9
	06000000 4c000000 00000000 e88db911 018049b8           # packet of 76 bytes of interface 0
	0e000000 0e000000 000cdc01000005000000 09000000 0000   # 14 bytes of it, and of 14
	0100 0900 434d53475f50494e47 000000                    # opt_comment CMSG_PING
	0200 0400 01000000  0000 0000  4c000000                # epb_flags: inbound
	06000000 50000000 00000000 e88db911 018049b8           # packet of 80 bytes of interface 0
	08000000 08000000 0006dd0105000000
	0100 0900 534d53475f504f4e47 000000                    # opt_comment SMSG_PONG
	0200 0400 02000000                                     # epb_flags: outbound
	0400 0800 0300000000000000  0000 0000  50000000        # epb_dropcount 3
	01000000 28000000 9300 0000 00000000                   # interface of 40 bytes
	0200 0100 38 000000                                    # if_name 8
	0900 0100 09 000000  0000 0000  28000000
	05000000 38000000 01000000 e88db911 018049b8           # statistics of 56 bytes of interface 1
	0100 0b00 636c6f7365642e70656572 00                    # opt_comment closed.peer
	0500 0800 0200000000000000  0000 0000  38000000        # isb_ifdrop 2
	05000000 30000000 00000000 e88db911 018049b8           # statistics of 48 bytes of interface 0
	0100 0300 656e64 00                                    # opt_comment end
	0500 0800 0400000000000000  0000 0000  30000000        # isb_ifdrop 4, with the three before`

func goldenBytes(t *testing.T) (all []byte) {
	t.Helper()
	for line := range strings.Lines(golden) {
		line, _, _ = strings.Cut(line, "#")
		b, err := hex.DecodeString(strings.NewReplacer(" ", "", "\t", "", "\n", "").Replace(line))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b...)
	}
	return all
}

func write(t *testing.T, format string, packets []Packet) []byte {
	t.Helper()
	var b bytes.Buffer
	w := NewWriter(format, &b)
	for i := range packets {
		if err := w.Write(&packets[i]); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

// read is what a pcapng has, and why it ends.
func read(b []byte) (all []Packet, err error) {
	for r := NewReader(bytes.NewReader(b)); ; {
		p, err := r.Next()
		if err != nil {
			return all, err
		}
		all = append(all, *p)
	}
}

func TestPcapng(t *testing.T) {
	want := goldenBytes(t)
	if got := write(t, Pcapng, packets); !bytes.Equal(got, want) {
		t.Errorf("wrote\n% x\nwant\n% x", got, want)
	}
	got, err := read(want)
	if err != io.EOF || !reflect.DeepEqual(got, packets) {
		t.Errorf("read %+v, %v, want %+v", got, err, packets)
	}
	for n := range want { // torn anywhere, it is never more than its whole blocks
		got, err := read(want[:n])
		if err != io.EOF && err != io.ErrUnexpectedEOF || len(got) > len(packets) {
			t.Fatalf("%d bytes: %d packets, %v", n, len(got), err)
		}
	}
	got, err = read(append([]byte{5, 0, 0, 0}, want...))
	if !errors.Is(err, ErrFormat) || len(got) != 0 {
		t.Errorf("what is none: %d packets, %v", len(got), err)
	}
}

// Whatever a file has, reading it ends.
func TestCorruptPcapng(t *testing.T) {
	for b := range corrupt.Bytes(20_000, goldenBytes(t)) {
		got, err := read(b)
		if err != io.EOF && err != io.ErrUnexpectedEOF && !errors.Is(err, ErrFormat) {
			t.Fatalf("% x: %v", b, err)
		}
		for i := range got {
			write(t, Text, got[i:i+1])
		}
	}
}

func TestText(t *testing.T) {
	const want = `12:00:00.000000 7 ANNA C>S CMSG_PING 8 {"Sequence":5,"LatencyMs":9}
12:00:00.000000 -- 3 packets are missing
12:00:00.000000 7 ANNA S>C SMSG_PONG 4 {"Sequence":5}
12:00:00.000000 -- 2 packets are missing
12:00:00.000000 -- 8  closed.peer
12:00:00.000000 -- 1 packets are missing
12:00:00.000000 -- 7 ANNA end
12:00:00.000000 7 ANNA C>S CMSG_GUILD_QUERY 2 (trace: no row in the message table) 01 02
`
	unknown := Packet{At: at, Session: 7, Account: "ANNA", Direction: msg.ToServer, Bytes: []byte{0, 6, 0x54, 0, 0, 0, 1, 2}}
	if got := string(write(t, Text, append(packets[:4:4], unknown))); got != want {
		t.Errorf("wrote\n%swant\n%s", got, want)
	}
}

// The name of an account, which any client can claim to have, begins no line and moves no cursor.
func TestTextHasNoControls(t *testing.T) {
	for name, want := range map[string]string{"ÄNNA": "ÄNNA", "A\n\x1b[2J\xff": `A\n\x1b[2J\xff`} {
		got := string(write(t, Text, []Packet{{At: at, Session: 7, Account: name, Direction: msg.ToServer, Bytes: packets[0].Bytes}, {At: at, Session: 7, Account: name, Note: "end"}}))
		if n := strings.Count(got, "7 "+want+" "); n != 2 || strings.Count(got, "\n") != 2 {
			t.Errorf("of %q is written %q", name, got)
		}
	}
}

func TestJSON(t *testing.T) {
	const want = `{"at":"2010-06-22T12:00:00.000000001Z","session":7,"account":"ANNA","direction":"to_server","opcode":"CMSG_PING","number":476,"packet":"AAzcAQAABQAAAAkAAAA=","message":{"Sequence":5,"LatencyMs":9}}
{"at":"2010-06-22T12:00:00.000000001Z","session":7,"account":"ANNA","direction":"to_client","opcode":"SMSG_PONG","number":477,"packet":"AAbdAQUAAAA=","message":{"Sequence":5},"dropped":3}
{"at":"2010-06-22T12:00:00.000000001Z","session":8,"dropped":2,"note":"closed.peer"}
{"at":"2010-06-22T12:00:00.000000001Z","session":7,"account":"ANNA","dropped":1,"note":"end"}
`
	if got := string(write(t, JSON, packets)); got != want {
		t.Errorf("wrote\n%swant\n%s", got, want)
	}
}

// Every message of the table can be written as a line, also one with numbers that JSON has not.
func TestEveryMessageIsALine(t *testing.T) {
	for i := range msg.Table {
		row := &msg.Table[i]
		var body []byte
		func() {
			defer func() { recover() }() // some are not to be written when they are zero
			body = msg.Append(nil, wire.V12340, row.New())
		}()
		d := msg.ToClient
		packet := append(wire.AppendServerHeader(nil, row.Op, len(body)), body...)
		if row.Direction&msg.ToServer != 0 {
			d, packet = msg.ToServer, append(wire.AppendClientHeader(nil, uint32(row.Op), len(body)), body...)
		}
		for _, format := range []string{Text, JSON, Pcapng} {
			if got := write(t, format, []Packet{{At: at, Session: 1, Direction: d, Bytes: packet}}); !bytes.Contains(got, []byte(row.Name)) {
				t.Errorf("%s as %s: %s", row.Name, format, got)
			}
		}
	}
	nan := msg.Move{Movement: msg.Movement{X: float32(0) / zero}}
	body := msg.Append(nil, wire.V12340, &nan)
	packet := append(wire.AppendClientHeader(nil, uint32(msg.OpMoveHeartbeat), len(body)), body...)
	if got := write(t, JSON, []Packet{{At: at, Session: 1, Direction: msg.ToServer, Bytes: packet}}); !bytes.Contains(got, []byte("NaN")) {
		t.Errorf("a movement to nowhere: %s", got)
	}
}

var zero float32

// Passwords are stars, and the packets stay what they are.
func TestScrub(t *testing.T) {
	say := func(text string) []byte {
		return msg.Append(nil, wire.V12340, &msg.ChatMessage{Type: uint32(msg.ChatSay), Language: 7, Text: text})
	}
	for text, want := range map[string]string{
		".account create anna secret":          ".**************************",
		"!acc set password anna secret secret": "!***********************************",
		".ACCOUNT password old new":            ".************************",
		".announce account secret":             ".announce account secret",
		"account create anna secret":           "account create anna secret",
		".account":                             ".account",
		"my account is anna":                   "my account is anna",
		"":                                     "",
	} {
		body := say(text)
		if got := Scrub(uint32(msg.OpChatMessage), body); !bytes.Equal(got, say(want)) {
			t.Errorf("%q became % x, want %q", text, got, want)
		}
		if long := append(say(text), "secret"...); text != want && !bytes.Equal(Scrub(uint32(msg.OpChatMessage), long), say(want)) {
			t.Errorf("%q with bytes left over is not scrubbed", text)
		}
		if !bytes.Equal(body, say(text)) {
			t.Errorf("%q is changed where it was", text)
		}
	}
	join := func(password string) []byte {
		return msg.Append(nil, wire.V12340, &msg.JoinChannel{ID: 3, Name: "trade", Password: password})
	}
	if got := Scrub(uint32(msg.OpJoinChannel), join("secret")); !bytes.Equal(got, join("******")) {
		t.Errorf("a channel's password became % x", got)
	}
	for op, body := range map[uint32]string{ // that end too early
		uint32(msg.OpChatMessage): "\x01\x00\x00\x00\x07\x00\x00\x00.account password old new", uint32(msg.OpJoinChannel): "\x01\x00\x00\x00\x00\x00trade\x00secret",
	} {
		if got, want := string(Scrub(op, []byte(body))), strings.Repeat("*", len(body)); got != want {
			t.Errorf("%#x: %q, want %q", op, got, want)
		}
	}
	if plain := []byte("\x01\x00\x00\x00\x07\x00\x00\x00hello"); !bytes.Equal(Scrub(uint32(msg.OpChatMessage), plain), plain) {
		t.Error("a text without a command is changed")
	}
	if got := Scrub(channelPassword, []byte("trade\x00secret\x00")); string(got) != "trade\x00*******" {
		t.Errorf("a channel's new password became %q", got)
	}
}

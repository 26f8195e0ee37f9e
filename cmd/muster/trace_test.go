package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"muster/net/protocol/msg"
	"muster/net/protocol/trace"
	"muster/net/protocol/wire"
)

// common is the language of humans. Source: LANG_COMMON, SharedDefines.h, AzerothCore.
const common = 7

// A traced is what a client has sent and read itself, in plain text.
type traced struct{ sent, read [][]byte }

// record has a visitor keep what it sends and reads.
func (w *traced) record(v *visitor) {
	v.says = func(packet []byte) { w.sent = append(w.sent, packet) }
	v.reads = func(op uint16, body []byte) {
		w.read = append(w.read, append(wire.AppendServerHeader(nil, op, len(body)), body...))
	}
}

// finish says that nothing more follows, and reads until the server has closed.
func (w *traced) finish(v *visitor) {
	v.t.Helper()
	v.check(v.socket.(*net.TCPConn).CloseWrite())
	rest, err := io.ReadAll(v.socket)
	v.check(err)
	for len(rest) > 0 {
		v.fromThem.XOR(rest[:wire.ServerHeaderLen])
		_, n, header, _ := wire.ServerHeader(rest)
		w.read = append(w.read, slices.Clone(rest[:header+n]))
		rest = rest[header+n:]
	}
}

// lines are the lines of JSON of muster trace.
func lines(t *testing.T, args ...string) (all []trace.Line) {
	t.Helper()
	code, stdout, stderr := execute(t, nil, append([]string{"trace", "--format", "json"}, args...)...)
	if code != exitOK {
		t.Fatalf("trace %q: %s", args, stderr)
	}
	for line := range strings.Lines(stdout) {
		var l trace.Line
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		all = append(all, l)
	}
	return all
}

// split is the packets of lines by their direction.
func split(lines []trace.Line) (w traced) {
	for _, l := range lines {
		switch l.Direction {
		case "to_server":
			w.sent = append(w.sent, l.Packet)
		case "to_client":
			w.read = append(w.read, l.Packet)
		}
	}
	return w
}

func differ(t *testing.T, what string, got, want [][]byte) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || !bytes.Equal(got[i], want[i]) {
			t.Errorf("%s: %d packets, want %d; number %d differs", what, len(got), len(want), i)
			return
		}
	}
}

// A bot that logs in, walks and talks is followed, from its login on: what it has sent and read is what the trace has, byte
// for byte, in a file that can be read again, and as messages; a password is not in it. What its world has read and sent it
// is in the recording.
func TestTrace(t *testing.T) {
	recordings, file := t.TempDir(), filepath.Join(t.TempDir(), "bot.pcapng")
	s := serve(t, "--ephemeral", "--creatures", "0", "--record", recordings)
	follow := exec.Command(binary, "trace", "--session", "bot", "--admin", s.admin, "--format", "pcapng", "--out", file)
	var complaint bytes.Buffer
	follow.Stderr = &complaint
	if err := follow.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { follow.Process.Kill() })
	eventually(t, "the bot is followed", func() bool { return strings.Contains(s.stderr(), `msg="admin: a session is traced" session=bot`) })

	visit(t, s, "OTHER") // is not in it
	v := authenticate(t, s, "BOT")
	var own traced
	own.record(v)
	v.greet(s, func(*msg.AuthSession) {})
	v.create("Robot")
	at := v.enter()
	for i := range 5 {
		v.move(beside(at, float32(i)/4))
	}
	v.say(msg.OpChatMessage, &msg.ChatMessage{Type: uint32(msg.ChatSay), Language: common, Text: "hello"})
	var heard msg.Chat
	if v.await(msg.OpChat, &heard); heard.Text != "hello" {
		t.Errorf("the bot heard %q", heard.Text)
	}
	const command = ".account create friend sesame"
	v.say(msg.OpChatMessage, &msg.ChatMessage{Type: uint32(msg.ChatSay), Language: common, Text: command})
	v.await(msg.OpChat, &heard)
	own.finish(v)

	read := func() []byte { b, _ := os.ReadFile(file); return b }
	eventually(t, "the trace has the end", func() bool { return bytes.Contains(read(), []byte("closed.peer")) })
	if follow.Process.Signal(syscall.SIGINT); follow.Wait() != nil {
		t.Errorf("muster trace ended with %v: %s", follow.ProcessState, complaint.String())
	}
	all := lines(t, "--from", file)
	got := split(all)
	secret := len(own.sent) - 1
	own.sent[secret] = bytes.Replace(own.sent[secret], []byte(command[1:]), bytes.Repeat([]byte("*"), len(command)-1), 1)
	if op, _, _, _ := wire.ServerHeader(own.read[0]); op != msg.OpAuthChallenge {
		t.Fatalf("the first packet is %#x", op)
	}
	differ(t, "sent", got.sent, own.sent)
	differ(t, "read", got.read, own.read[1:]) // the first is from before the client said its name
	if bytes.Contains(read(), []byte("sesame")) {
		t.Error("a password is in the trace")
	}
	last := all[len(all)-1]
	if last.Note != "closed.peer" || all[0].Opcode != "CMSG_AUTH_SESSION" || all[0].Account != "BOT" {
		t.Errorf("it begins with %+v and ends with %+v", all[0], last)
	}
	for _, l := range all {
		if l.Error != "" || l.Note == "" && l.Message == nil {
			t.Errorf("%s: %s", l.Opcode, l.Error)
		}
	}
	copied := file + ".again"
	if code, _, stderr := execute(t, nil, "trace", "--from", file, "--format", "pcapng", "--out", copied); code != exitOK {
		t.Fatal(stderr)
	}
	if again, _ := os.ReadFile(copied); !bytes.Equal(again, read()) {
		t.Error("the file is not what was read of it")
	}
	if n := len(lines(t, "--from", file, "--session", "OTHER")); n != 0 {
		t.Errorf("another session has %d lines", n)
	}

	s.stop(syscall.SIGTERM, 1)
	inWorld := func(packets [][]byte, ops ...uint16) (some [][]byte) {
		for _, p := range packets {
			if slices.Contains(ops, uint16(p[2])|uint16(p[3])<<8) {
				some = append(some, p)
			}
		}
		return some
	}
	replayed := split(lines(t, "--from", recordings, "--session", "Robot"))
	moves := []uint16{msg.OpMoveHeartbeat, msg.OpChatMessage}
	differ(t, "sent to the world", inWorld(replayed.sent, moves...), inWorld(own.sent[:secret], moves...)) // a command has no world
	told := []uint16{msg.OpLoginVerifyWorld, msg.OpInitialSpells, msg.OpActionButtons, msg.OpChat}
	if want := inWorld(own.read, told...); len(want) != 5 {
		t.Errorf("the bot was told %d packets", len(want))
	} else {
		differ(t, "sent by the world", inWorld(replayed.read, told...), want[:4])
	}
}

// Whoever asks for a trace names the token, and a session that is there.
func TestTraceIsRefused(t *testing.T) {
	const token = "0123456789abcdef"
	s := serve(t, "--ephemeral", "--creatures", "0", "--admin-token", token)
	for _, c := range []struct {
		path, token string
		status      int
	}{
		{"/api/sessions/1/trace", "", 401}, {"/api/sessions/1/trace", "fedcba9876543210", 401}, {"/api/sessions/1/trace", token, 404},
		{"/api/sessions/BOT/trace?format=csv", token, 400}, {"/api/sessions/BOT/trace?for=soon", token, 400}, {"/api/sessions/BOT/trace?for=10ms", token, 200},
	} {
		if status, body := s.ask(c.path, c.token); status != c.status {
			t.Errorf("%s with token %q: %d %s, want %d", c.path, c.token, status, body, c.status)
		}
	}
}

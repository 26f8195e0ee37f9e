package main

import (
	"bytes"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"muster/cmd/internal/ctlsocket"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// system reads up to a line of the system's.
func (v *visitor) system() string {
	v.t.Helper()
	for {
		var m msg.Chat
		if v.await(msg.OpChat, &m); m.Type == msg.ChatSystem {
			return m.Text
		}
	}
}

// hears reads up to a certain line of the system's.
func (v *visitor) hears(want string) {
	v.t.Helper()
	for v.system() != want {
	}
}

// orders says a verb, as bots do that do not know their race.
func (v *visitor) orders(kind msg.ChatType, verb string) {
	v.t.Helper()
	v.say(msg.OpChatMessage, &msg.ChatMessage{Type: uint32(kind), Language: 7, Text: verb})
}

// TestVerbsOfBots has those verbs that AzerothGhost's scripts and harness use, with the packets that they wait for.
//
// Source: protocol.md 3.1.6.
func TestVerbsOfBots(t *testing.T) {
	s := serve(t, "--ephemeral", "--open-level", "3")
	v := visit(t, s, "GHOST")
	v.create("Ghosty")
	v.enter()

	v.orders(msg.ChatSay, ".gps")
	if line := v.system(); !strings.HasPrefix(line, "Ghosty is on map") {
		t.Errorf(".gps: %q", line)
	}
	v.orders(msg.ChatSay, ".gm on")
	v.hears("GM mode is on.")
	whispers := func() {
		v.say(msg.OpChatMessage, &msg.ChatMessage{Type: uint32(msg.ChatWhisper), Language: 7, To: "ghosty", Text: "me"})
	}
	whispers()
	var said msg.GMChat
	if v.await(msg.OpGMChat, &said); said.Type != msg.ChatWhisper || said.Tag != msg.TagGM || said.SenderName != "Ghosty" {
		t.Errorf("a game master whispers as %+v", said)
	}
	v.orders(msg.ChatSay, ".gm off")
	v.hears("GM mode is off.")
	whispers()
	for {
		var m msg.Chat
		if v.await(msg.OpChat, &m); m.Type == msg.ChatWhisper {
			if m.Tag != 0 {
				t.Errorf("a whisper after GM mode has tag %d", m.Tag)
			}
			break
		}
	}
	v.orders(msg.ChatSay, ".levelup 4")
	var up msg.LevelUpInfo
	if v.await(msg.OpLevelUpInfo, &up); up.Level != 5 {
		t.Errorf(".levelup: %+v", up)
	}
	v.orders(msg.ChatSay, ".go xyz 50 60 40")
	var to msg.Teleport
	if v.await(msg.OpMoveTeleportAck, &to); to.X != 50 || to.Y != 60 || to.Z != 40 {
		t.Errorf(".go xyz: %+v", to)
	}
	v.orders(msg.ChatSay, ".tele add Old Camp")
	v.hears("Old Camp is a place now.")
	v.orders(msg.ChatSay, ".go xyz 70 80 40")
	if v.await(msg.OpMoveTeleportAck, &to); to.X != 70 || to.Y != 80 {
		t.Errorf(".go xyz again: %+v", to)
	}
	v.orders(msg.ChatSay, ".tele camp")
	if v.await(msg.OpMoveTeleportAck, &to); to.X != 50 || to.Y != 60 || to.Z != 40 {
		t.Errorf(".tele camp: %+v", to)
	}
	v.orders(msg.ChatSay, ".modify money 5")
	v.hears("Ghosty has 5 copper.")
	v.orders(msg.ChatSay, ".die")
	v.hears("Ghosty is dead.")
	v.orders(msg.ChatGuild, ".revive")
	v.hears("Ghosty lives.")
	v.orders(msg.ChatSay, ".server info")
	v.hears("Connected players: 1. Characters in world: 1.")
	v.orders(msg.ChatSay, ".announce hear ye")
	v.hears("[Ghosty] hear ye")
}

// TestFarVerbs has a game master go to a player on another map, as one, and fetch it.
func TestFarVerbs(t *testing.T) {
	s := serve(t, "--ephemeral", "--open-level", "3")
	a, b := visit(t, s, "ANNA"), visit(t, s, "BERT")
	for v, name := range map[*visitor]string{a: "Anna", b: "Bert"} {
		v.create(name)
		v.enter()
	}
	travel := func(v *visitor, want msg.Place) {
		t.Helper()
		var to msg.Place
		if v.await(msg.OpNewWorld, &to); to.Map != want.Map || to.Position != want.Position {
			t.Errorf("%s goes to %+v, want %+v", v.name, to, want)
		}
		v.say(msg.OpMoveWorldportAck, &msg.Empty{})
		var sync msg.TimeSyncReq
		v.await(msg.OpTimeSyncReq, &sync)
	}
	there := msg.Place{Map: 1, Position: wire.Vec3{X: 50, Y: 60, Z: 40}}
	b.orders(msg.ChatSay, ".go xyz 50 60 40 1")
	travel(b, there)
	a.orders(msg.ChatSay, ".gm on")
	a.hears("GM mode is on.")
	a.orders(msg.ChatSay, ".appear Bert")
	travel(a, there)
	a.orders(msg.ChatSay, ".gm")
	a.hears("GM mode is off.")
	b.orders(msg.ChatSay, ".go xyz 7 8 40 0")
	travel(b, msg.Place{Map: 0, Position: wire.Vec3{X: 7, Y: 8, Z: 40}})
	a.orders(msg.ChatSay, ".summon bert")
	travel(b, there)
	a.say(msg.OpSetSelection, &msg.SetSelection{GUID: b.guid})
	a.orders(msg.ChatSay, ".kick")
	a.hears("Bert is out.")
}

// TestFarSpeech has what wowchat does with players that are not in view.
//
// Source: protocol.md 3.2.
func TestFarSpeech(t *testing.T) {
	s := serve(t, "--ephemeral")
	a, b := visit(t, s, "ANNA"), visit(t, s, "BERT")
	for v, name := range map[*visitor]string{a: "Anna", b: "Bert"} {
		v.create(name)
		v.enter()
	}
	var notice msg.ChannelNotify
	join := func(v *visitor, password string, want msg.ChannelEvent) {
		t.Helper()
		v.say(msg.OpJoinChannel, &msg.JoinChannel{Flags: [2]uint8{0, 1}, Name: "World", Password: password})
		for v.await(msg.OpChannelNotify, &notice); notice.Event == msg.ChannelModeChange; v.await(msg.OpChannelNotify, &notice) {
		}
		if notice.Event != want || !strings.EqualFold(notice.Name, "world") {
			t.Errorf("%s joins: %+v, want event %d", v.name, notice, want)
		}
	}
	join(a, "secret", msg.ChannelYouJoined)
	join(b, "wrong", msg.ChannelWrongPassword)
	join(b, "secret", msg.ChannelYouJoined)
	join(b, "secret", msg.ChannelPlayerAlreadyMember)

	b.say(msg.OpChatMessage, &msg.ChatMessage{Type: uint32(msg.ChatChannel), Language: 1, To: "world", Text: "anybody?"})
	for _, v := range []*visitor{a, b} {
		var m msg.Chat
		for v.await(msg.OpChat, &m); m.Type == msg.ChatSystem; v.await(msg.OpChat, &m) {
		}
		if want := (msg.Chat{Type: msg.ChatChannel, Sender: b.guid, Channel: "World", Target: b.guid, Text: "anybody?"}); m != want {
			t.Errorf("%s hears %+v, want %+v", v.name, m, want)
		}
	}
	a.say(msg.OpChannelListQuery, &msg.ChannelListQuery{Name: "WORLD"})
	var list msg.ChannelList
	if a.await(msg.OpChannelList, &list); len(list.Members) != 2 || list.Members[0] != (msg.ChannelMember{GUID: a.guid, Flags: 3}) {
		t.Errorf("the list is %+v", list)
	}
	b.say(msg.OpLeaveChannel, &msg.LeaveChannel{Name: "world"})
	if b.await(msg.OpChannelNotify, &notice); notice.Event != msg.ChannelYouLeft {
		t.Errorf("Bert leaves: %+v", notice)
	}

	a.say(msg.OpChatMessage, &msg.ChatMessage{Type: uint32(msg.ChatDND), Text: "reading"})
	b.say(msg.OpChatMessage, &msg.ChatMessage{Type: uint32(msg.ChatWhisper), Language: 7, To: "aNNA", Text: "psst"})
	var m msg.Chat
	if a.await(msg.OpChat, &m); m != (msg.Chat{Type: msg.ChatWhisper, Sender: b.guid, Target: b.guid, Text: "psst"}) {
		t.Errorf("Anna hears %+v", m)
	}
	if b.await(msg.OpChat, &m); m != (msg.Chat{Type: msg.ChatWhisperInform, Sender: a.guid, Target: a.guid, Text: "psst"}) {
		t.Errorf("Bert is sent %+v", m)
	}
	if b.await(msg.OpChat, &m); m != (msg.Chat{Type: msg.ChatDND, Sender: a.guid, Target: a.guid, Text: "reading"}) {
		t.Errorf("Bert is sent %+v", m)
	}
	b.say(msg.OpChatMessage, &msg.ChatMessage{Type: uint32(msg.ChatWhisper), To: "Carl", Text: "psst"})
	var missing msg.ChatPlayerNotFound
	if b.await(msg.OpChatPlayerNotFound, &missing); missing.Name != "Carl" {
		t.Errorf("not found: %+v", missing)
	}

	b.say(msg.OpWho, &msg.Who{LevelMax: 100, Name: "ann", Races: 1 << 1, Classes: 1 << 1})
	var who msg.WhoResponse
	if b.await(msg.OpWhoResponse, &who); who.Matches != 1 || len(who.Players) != 1 || who.Players[0].Name != "Anna" || who.Players[0].Level != 1 {
		t.Errorf("who: %+v", who)
	}
	b.say(msg.OpPlayedTime, &msg.PlayedTime{Show: 1})
	var played msg.PlayedTimeResponse
	if b.await(msg.OpPlayedTimeResponse, &played); played.Show != 1 || played.Total > 3600 {
		t.Errorf("played: %+v", played)
	}
	a.say(msg.OpTextEmote, &msg.TextEmote{Text: 101, Emote: 2, Target: b.guid})
	var emote msg.TextEmoted
	if a.await(msg.OpTextEmoted, &emote); emote != (msg.TextEmoted{GUID: a.guid, Text: 101, Emote: 2, Name: "Bert"}) {
		t.Errorf("emote: %+v", emote)
	}
}

// TestCtl has the verbs of operators over the socket, and the exit code that one asks for.
func TestCtl(t *testing.T) {
	dir := t.TempDir()
	s := serve(t, "--data", dir)
	if s.socket != filepath.Join(dir, ctlsocket.Name) {
		t.Errorf("the socket is %s", s.socket)
	}
	v := visit(t, s, "ANNA")
	v.create("Anna")
	v.enter()
	for _, c := range []struct {
		words string
		code  int
		want  string
	}{
		{"server info", exitOK, "Connected players: 1. Characters in world: 1.\nConnection peak: 1.\n"},
		{"#Anna levelup 5", exitOK, "Anna comes from level 1 to level 6.\n"},
		{"#Bert gps", exitFailure, "There is no Bert in a world.\n"},
		{"gps", exitFailure, "gps is about a character: say whose, as in #Anna gps.\n"},
		{"saveall", exitOK, "players of map"},
		{"dance", exitFailure, "There is no such verb.\n"},
		{"account create other secret", exitOK, "Account created: other\n"},
		{"#Anna modify money -5", exitOK, "Anna has 0 copper.\n"},
		{"kick Anna", exitOK, "Anna is out.\n"},
	} {
		code, stdout, stderr := execute(t, nil, append([]string{"ctl", "--data", dir}, strings.Fields(c.words)...)...)
		if code != c.code || !strings.Contains(stdout+stderr, c.want) {
			t.Errorf("%s: exit code %d, %q %q, want %d %q", c.words, code, stdout, stderr, c.code, c.want)
		}
	}
	if code, _, _ := execute(t, nil, "ctl", "--data", t.TempDir(), "help"); code != exitFailure {
		t.Errorf("without a server: exit code %d", code)
	}
	if code, _, stderr := execute(t, nil, "ctl", "--data", dir, "server", "shutdown", "0", "7"); code != exitOK {
		t.Errorf("shutdown: exit code %d, %s", code, stderr)
	}
	if err := <-s.ended; s.cmd.ProcessState.ExitCode() != 7 {
		t.Errorf("ended with %v", err)
	}
}

// TestCtlTrustsNoSharedFolder has ctl send nothing to a socket that another user may have made.
func TestCtlTrustsNoSharedFolder(t *testing.T) {
	runtime := t.TempDir()
	shared := filepath.Join(runtime, "muster")
	if err := os.Mkdir(shared, 0o700); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", filepath.Join(shared, "1.sock"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	os.Chmod(shared, 0o777)
	code, _, stderr := execute(t, []string{"XDG_RUNTIME_DIR=" + runtime}, "ctl", "account", "create", "anna", "secret")
	if code != exitFailure || !strings.Contains(stderr, "is not a folder of this user alone") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}

// TestConsole has verbs typed into the server itself.
func TestConsole(t *testing.T) {
	server := exec.CommandContext(t.Context(), binary, "serve", "--ephemeral", "--console", "--creatures", "100",
		"--auth", "127.0.0.1:0", "--world", "127.0.0.1:0", "--admin", "127.0.0.1:0")
	server.Stdin = strings.NewReader("dance\nserver shutdown 0 3\n")
	out, err := server.Output()
	_, after, refused := bytes.Cut(out, []byte("There is no such verb.\n")) // what the server prints when it is ready may be between the answers
	if server.ProcessState.ExitCode() != 3 || !refused || !bytes.Contains(after, []byte("The server ends in 0 second(s).\n")) {
		t.Errorf("ended with %v:\n%s", err, out)
	}
}

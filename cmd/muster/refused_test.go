package main

import (
	"crypto/rand"
	"regexp"
	"slices"
	"strings"
	"testing"

	"muster/net/gateway/session"
	"muster/net/login"
	"muster/net/protocol/crypt"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// refused are the lines of the log about what clients did, without times, addresses and the numbers of connections.
func (s *served) refused() (lines []string) {
	for line := range strings.Lines(s.stderr()) {
		if m := refusedLine.FindStringSubmatch(line); m != nil {
			lines = append(lines, m[1]+" "+varying.ReplaceAllString(m[2], ""))
		}
	}
	return lines
}

var (
	refusedLine = regexp.MustCompile(`level=(\w+) msg=("(?:login: closed|gateway: closed|gateway: refused)" .*)\n`)
	varying     = regexp.MustCompile(` (session|from|after)=\S+`)
)

// Each way of being refused is the line that the page has for it, and no other.
func TestRefusedClients(t *testing.T) {
	s := serve(t, "--ephemeral", "--creatures", "0", "--max-players", "2", "--max-queue", "1")
	var want []string
	lines := func() []string { // without what the world does not use of a flood until that is noticed
		return slices.DeleteFunc(s.refused(), func(l string) bool { return strings.Contains(l, "gameobject.gone account=FLOOD") })
	}
	expect := func(line string) {
		t.Helper()
		want = append(want, line)
		eventually(t, line, func() bool { return len(lines()) >= len(want) })
	}

	// A wrong password.
	v := &visitor{t: t, name: "WRONG"}
	v.dial(s.auth)
	v.write(login.AppendChallenge(nil, v.name))
	challenge := reply(v, login.ParseChallengeReply)
	client, err := crypt.NewClient(rand.Reader, v.name, "another")
	v.check(err)
	A, M1, _, _, err := client.Answer(challenge.Public, challenge.Salt)
	v.check(err)
	v.write(login.AppendProof(nil, A, M1))
	if proof := reply(v, login.ParseProofReply); proof.Result != login.UnknownAccount {
		t.Errorf("a wrong password is answered with %#x", proof.Result)
	}
	expect(`INFO "login: closed" reason=auth.bad_proof account=WRONG state=proof opcode=LOGON_PROOF`)

	// A packet in a wrong state, an opcode without a row, twice, and one without a name; a body that is too short.
	state := visit(t, s, "STATE")
	state.say(msg.OpWho, &msg.Who{})
	expect(`INFO "gateway: refused" reason=wrong_state account=STATE state=select opcode=CMSG_WHO`)
	const guildQuery, groupUpdate = 0x054, 0x080 // the second is one that clients do not send. Source: Opcodes.h, AzerothCore.
	for range 2 {
		state.say(guildQuery, &msg.Empty{})
	}
	expect(`INFO "gateway: refused" reason=unknown_opcode account=STATE state=select opcode=CMSG_GUILD_QUERY`)
	state.say(groupUpdate, &msg.Empty{})
	expect(`INFO "gateway: refused" reason=unknown_opcode account=STATE state=select opcode=0x80`)
	state.say(msg.OpPlayerLogin, &msg.Empty{})
	expect(`INFO "gateway: refused" reason=bad_body account=STATE state=select opcode=CMSG_PLAYER_LOGIN detail="msg: CMSG_PLAYER_LOGIN at byte 0: wire: body too short"`)
	state.say(msg.OpCharCreate, &msg.CharCreate{Name: "X", Look: msg.Look{Race: 1, Class: 1}})
	expect(`INFO "gateway: refused" reason=create_refused account=STATE state=select opcode=CMSG_CHAR_CREATE detail="name too short"`)

	// A size that no packet has.
	size := visit(t, s, "SIZE")
	header := []byte{0xFF, 0xFF, byte(msg.OpPing & 0xFF), byte(msg.OpPing >> 8), 0, 0}
	size.toThem.XOR(header)
	size.write(header)
	expect(`INFO "gateway: closed" reason=closed.bad_header account=SIZE state=select opcode=CMSG_PING`)

	// What a world does not use: there are no game objects, nor such a jump, and no teleport is to be acknowledged.
	world := visit(t, s, "WORLD")
	world.create("World")
	at := world.enter()
	world.say(msg.OpGameObjectUse, &msg.GameObjectUse{})
	expect(`INFO "gateway: refused" reason=gameobject.gone account=WORLD character=World state=world opcode=CMSG_GAMEOBJ_USE`)
	world.move(beside(at, 300))
	expect(`WARN "gateway: refused" reason=anticheat_jump account=WORLD character=World state=world opcode=MSG_MOVE_HEARTBEAT`)
	world.say(msg.OpMoveTeleportAck, &msg.TeleportAck{Mover: world.guid, Counter: 7})
	expect(`INFO "gateway: refused" reason=move.stale_answer account=WORLD character=World state=world opcode=MSG_MOVE_TELEPORT_ACK`)
	world.socket.Close()
	eventually(t, "there is room again", func() bool { return s.stats().World == 0 })

	// More of one opcode than a second may have, in one piece.
	flood := visit(t, s, "FLOOD")
	flood.create("Flood")
	flood.enter()
	var pieces []byte
	for range session.Rates[session.Use].PerSecond + 1 {
		packet := append(wire.AppendClientHeader(nil, uint32(msg.OpGameObjectUse), 8), make([]byte, 8)...)
		flood.toThem.XOR(packet[:wire.ClientHeaderLen])
		pieces = append(pieces, packet...)
	}
	flood.write(pieces)
	expect(`WARN "gateway: closed" reason=closed.flooded account=FLOOD character=Flood state=world opcode=CMSG_GAMEOBJ_USE`)

	// A ban, which ends the session, and what a banned account is told.
	visit(t, s, "BANNED")
	if code, _, stderr := execute(t, nil, "ctl", "--socket", s.socket, "ban", "account", "banned", "-1", "too", "loud"); code != exitOK {
		t.Fatal(stderr)
	}
	expect(`WARN "gateway: closed" reason=closed.kicked account=BANNED state=select opcode=CMSG_AUTH_SESSION`)
	again := &visitor{t: t, name: "BANNED"}
	again.dial(s.auth)
	again.write(login.AppendChallenge(nil, again.name))
	if r := reply(again, login.ParseChallengeReply); r.Result != login.Banned {
		t.Errorf("a banned account is answered with %#x", r.Result)
	}
	expect(`INFO "login: closed" reason=auth.banned account=BANNED state=challenge opcode=LOGON_CHALLENGE detail="too loud"`)

	// A server that is full, and then its queue.
	visit(t, s, "SECOND")
	queued := authenticate(t, s, "QUEUED")
	if r := queued.greet(s, func(*msg.AuthSession) {}); r.Result != msg.AuthWaitQueue {
		t.Errorf("the one that waits is answered with %#x", r.Result)
	}
	expect(`INFO "gateway: refused" reason=queue.waited account=QUEUED state=queued opcode=CMSG_AUTH_SESSION detail="place 1"`)
	full := authenticate(t, s, "FULL")
	if r := full.greet(s, func(*msg.AuthSession) {}); r.Result != msg.AuthReject {
		t.Errorf("one too many is answered with %#x", r.Result)
	}
	expect(`WARN "gateway: closed" reason=closed.queue_full account=FULL state=queued opcode=CMSG_AUTH_SESSION`)

	if got := lines(); !slices.Equal(got, want) {
		t.Errorf("the log has\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

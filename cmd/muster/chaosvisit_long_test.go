//go:build long

package main

import (
	"context"
	"crypto/rand"
	"fmt"
	mathrand "math/rand/v2"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"

	"muster/internal/conformance"
	"muster/loaders/store/postgres"
	"muster/net/login"
	"muster/net/protocol/crypt"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// A chaosState is where the character of a visitor is, and its money; or what two dealers have.
type chaosState struct {
	begun  bool // false: it is as it was made
	place  uint32
	x      float32
	copper uint32
	second uint32 // of dealers: the money of the second
	holder int    // of dealers: which of them has the item, from 1
}

// A chaosStep is what a visitor does with that: it finds it so, makes it so, or may have made it so.
type chaosStep struct {
	visitor int
	does    string // "finds", "leaves" or "may leave"; of dealers also "hands over to" and "may hand over to"
	chaosState
}

func (s chaosStep) String() string {
	if s.visitor >= chaosVisitors {
		return fmt.Sprintf("%s %d and %d copper, and the item with %d;", s.does, s.copper, s.second, s.holder)
	}
	return fmt.Sprintf("%s map %d x %.1f with %d copper;", s.does, s.place, s.x, s.copper)
}

// chaosName is the account of a visitor; the last chaosTravellers of them are game masters, so that they can go to other maps.
func chaosName(i int) string { return fmt.Sprint("CHAOS", i+1) }

// chaosCharacter is the name of its character.
func chaosCharacter(i int) string {
	if i >= chaosVisitors {
		return "Dealer" + string(rune('a'+i-chaosVisitors))
	}
	return "Chaos" + string(rune('a'+i))
}

func travels(i int) bool { return i >= chaosVisitors-chaosTravellers }

// admitMasters makes the accounts of those that change the map, and of the dealers.
func (c *chaos) admitMasters() {
	for i := range chaosVisitors + 2*chaosPairs {
		if !travels(i) {
			continue
		}
		for _, line := range []string{
			fmt.Sprintf("account create %s %s", chaosName(i), defaultPassword), fmt.Sprintf("account set gmlevel %s 3 -1", chaosName(i)),
		} {
			if status, answer := c.call("POST", "/api/console", fmt.Sprintf(`{"line":%q}`, line)); status != http.StatusOK {
				c.t.Fatalf("%s: %d %s", line, status, answer)
			}
		}
	}
}

// comeAndGo has a character log in and out again and again, each time through a gateway that is drawn, and notes how it has found and
// left itself. What a visit that was cut off has done is not known.
func (c *chaos) comeAndGo(ctx context.Context, i int) {
	dice := mathrand.New(mathrand.NewPCG(c.seed, uint64(23+i)))
	for n := 0; ctx.Err() == nil; n++ {
		over := make(chan struct{})
		v := &chaosVisit{c: c, i: i, n: n, gateway: dice.IntN(2), rude: dice.IntN(4) == 0}
		if travels(i) {
			v.hops = dice.IntN(3)
		}
		go func() {
			defer close(over)
			v.run()
		}()
		<-over
		select {
		case <-ctx.Done():
		case <-time.After(time.Duration(dice.Int64N(int64(300 * time.Millisecond)))):
		}
	}
}

// A chaosVisit is one visit of a visitor. A rude one ends its connection without a logout.
type chaosVisit struct {
	c       *chaos
	i, n    int
	gateway int
	rude    bool
	hops    int // how often it changes the map
	*visitor
	sight  *conformance.Client
	at     msg.Place // with copper: how it is, or will be when the world has read what was sent
	copper uint32
	steps  []porcupine.Operation // not noted yet: what it may have done, in order
	began  int64
}

// run is the visit; what ends it ends the goroutine.
func (v *chaosVisit) run() {
	v.prepare()
	defer v.end()
	v.comes()
	v.finds()
	v.at.Position.X += 0.5
	if v.n%200 >= 100 {
		v.at.Position.X--
	}
	v.mayLeave()
	v.move(v.at)
	for hop := range v.hops {
		v.hop(hop)
	}
	if v.rude {
		return
	}
	v.say(msg.OpPlayerLogout, &msg.Empty{})
	v.await(msg.OpLogoutComplete, &msg.Empty{})
	v.steps = nil
	v.c.note(v.step("leaves"))
}

// prepare has the visit check what it is sent.
func (v *chaosVisit) prepare() {
	v.sight = conformance.New(conformance.Config{Texts: 10})
	v.visitor = &visitor{t: v.c.t, name: chaosName(v.i), mortal: true}
	v.reads = func(op uint16, body []byte) {
		if op == msg.OpLoginVerifyWorld {
			v.sight.Enter(v.guid)
		}
		v.sight.Packet(op, body)
	}
}

// end closes the connection, and notes what the visit may have done.
func (v *chaosVisit) end() {
	if v.socket != nil {
		v.socket.Close()
	}
	v.c.note(v.steps...)
	if n := v.sight.Violations(); n.Total() != 0 {
		v.c.t.Errorf("%s was sent what breaks a rule: %+v %q", v.name, n, v.sight.Texts())
	}
}

// comes logs the account in, and makes its character if it has none, with which the visit ends.
func (v *chaosVisit) comes() {
	v.dialer.Timeout = 5 * time.Second
	v.dial(v.c.auths[v.gateway])
	v.socket.SetDeadline(time.Now().Add(chaosPatience))
	v.write(login.AppendChallenge(nil, v.name))
	challenge := reply(v.visitor, login.ParseChallengeReply)
	if challenge.Result != login.Success {
		runtime.Goexit()
	}
	srp, err := crypt.NewClient(rand.Reader, v.name, strings.ToUpper(defaultPassword))
	v.check(err)
	A, M1, key, _, err := srp.Answer(challenge.Public, challenge.Salt)
	v.check(err)
	v.write(login.AppendProof(nil, A, M1))
	if reply(v.visitor, login.ParseProofReply).Result != login.Success {
		runtime.Goexit()
	}
	v.socket.Close()
	v.key = key
	v.dial(v.c.worlds[v.gateway])
	v.socket.SetDeadline(time.Now().Add(chaosPatience))
	var hello msg.AuthChallenge
	v.await(msg.OpAuthChallenge, &hello)
	session := msg.AuthSession{Build: uint32(wire.V12340), Account: v.name, Realm: 1, ClientSeed: [4]byte{1, 2, 3, 4}}
	session.Digest = crypt.WorldProof(v.name, session.ClientSeed, hello.Seed, v.key)
	v.say(msg.OpAuthSession, &session)
	v.fromThem, v.toThem, v.keyed = crypt.ServerToClient(key), crypt.ClientToServer(key), true
	var welcome msg.AuthResponse
	if v.await(msg.OpAuthResponse, &welcome); welcome.Result != msg.AuthOK {
		runtime.Goexit()
	}
	all := v.list()
	if len(all) == 0 {
		v.say(msg.OpCharCreate, &msg.CharCreate{Name: chaosCharacter(v.i), Look: msg.Look{Race: 1, Class: 1}})
		var made msg.CharResult
		v.await(msg.OpCharCreateResult, &made)
		runtime.Goexit()
	}
	v.guid = all[0].GUID
}

// finds enters the world, and notes how the character is.
func (v *chaosVisit) finds() {
	v.arrives()
	v.copper = v.sight.Copper()
	v.c.note(v.step("finds"))
	v.began = time.Now().UnixNano()
}

// arrives enters the world.
func (v *chaosVisit) arrives() {
	v.began = time.Now().UnixNano()
	v.say(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: v.guid})
	for v.at == (msg.Place{}) {
		switch op, body := v.next(); op {
		case msg.OpLoginVerifyWorld:
			v.check(msg.Decode(wire.V12340, body, &v.at))
		case msg.OpCharacterLoginFailed:
			runtime.Goexit()
		}
	}
	for !v.sight.Knows(v.guid) {
		v.next()
	}
}

// hop has the character go to another map, with a copper more.
func (v *chaosVisit) hop(n int) {
	v.copper++
	v.mayLeave()
	v.command(".modify money 1")
	for v.sight.Copper() != v.copper {
		v.next()
	}
	to := (v.at.Map + 1 + uint32(n%2)) % 3
	x := 10 + float32(v.n%1000)/2
	v.at.Map, v.at.Position.X = to, x
	v.mayLeave()
	v.command(".go xyz %.1f %d 100 %d", x, v.i, to)
	var at msg.Place
	if v.await(msg.OpNewWorld, &at); at.Map != to || at.Position.X != x {
		v.c.t.Errorf("%s was sent to %+v, and not to map %d", v.name, at, to)
	}
	v.say(msg.OpMoveWorldportAck, &msg.Empty{})
	v.await(msg.OpTimeSyncReq, new(msg.TimeSyncReq))
	v.c.mu.Lock()
	v.c.hops++
	v.c.mu.Unlock()
}

// mayLeave adds how the character is about to be to what the visit may have done.
func (v *chaosVisit) mayLeave() { v.steps = append(v.steps, v.step("may leave")) }

// step is an operation that ends now.
func (v *chaosVisit) step(does string) porcupine.Operation {
	s := chaosStep{v.i, does, chaosState{begun: true, place: v.at.Map, x: v.at.Position.X, copper: v.copper}}
	return porcupine.Operation{ClientId: v.i, Input: s, Call: v.began, Return: time.Now().UnixNano()}
}

// chaosPatience is how long a visitor waits for anything.
const chaosPatience = 60 * time.Second

// note adds operations to the history.
func (c *chaos) note(all ...porcupine.Operation) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.history = append(c.history, all...)
}

// judge checks, when the cluster has ended, that the history is that of a register for each character, the last reading of which is what is stored.
// What a visit that was cut off has done is there from the next visit on, or never.
func (c *chaos) judge() {
	c.t.Helper()
	s, err := postgres.Open(c.t.Context(), postgres.Config{URL: c.url})
	if err != nil {
		c.t.Fatal(err)
	}
	defer s.Close()
	for i := range chaosVisitors {
		account, err := s.Account(c.t.Context(), chaosName(i))
		if err != nil {
			continue
		}
		list, err := s.Characters(c.t.Context(), account.ID)
		if err != nil {
			c.t.Error(err)
		}
		for _, ch := range list {
			now := time.Now().UnixNano()
			c.note(porcupine.Operation{ClientId: i, Call: now, Return: now, Input: chaosStep{i, "finds", chaosState{begun: true, place: ch.Map, x: ch.X, copper: ch.MoneyCopper}}})
		}
	}
	c.judgePairs(s)
	order := func(part []porcupine.Operation) {
		slices.SortStableFunc(part, func(a, b porcupine.Operation) int { return int(a.Return - b.Return) })
	}
	model := porcupine.NondeterministicModel{
		Partition: func(history []porcupine.Operation) (parts [][]porcupine.Operation) {
			parts = make([][]porcupine.Operation, chaosVisitors+chaosPairs)
			for _, op := range history {
				i := op.Input.(chaosStep).visitor
				parts[i] = append(parts[i], op)
			}
			for _, part := range parts { // a visitor does one thing after the other
				order(part)
				for i := range part {
					part[i].Call, part[i].Return = int64(2*i), int64(2*i+1)
				}
			}
			return parts
		},
		Init: func() []any { return []any{chaosState{}} },
		Step: func(state, input, _ any) []any {
			is, does := state.(chaosState), input.(chaosStep)
			switch {
			case does.does == "leaves", does.does == "hands over to":
				return []any{does.chaosState}
			case does.does == "may leave", does.does == "may hand over to":
				return []any{is, does.chaosState}
			case is.begun && is != does.chaosState:
				return nil
			}
			return []any{does.chaosState}
		},
	}
	asModel := model.ToModel()
	switch porcupine.CheckOperationsTimeout(asModel, c.history, time.Minute) {
	case porcupine.Illegal:
		for i, part := range model.Partition(c.history) {
			if bad := firstBad(asModel, part); bad > 0 {
				c.t.Errorf("logins, saves, trades and hand-overs of visitor %d are not linearizable, with SEED=%d: %v", i+1, c.seed, chaosSteps(part[max(0, bad-12):bad]))
			}
		}
	case porcupine.Unknown:
		c.t.Error("whether logins and saves are linearizable was not found out within a minute")
	}
	if len(c.history) < chaosVisitors {
		c.t.Errorf("%d visits", len(c.history))
	}
}

// firstBad is how many operations of a history are not linearizable, of as few as are not; 0 if all are.
func firstBad(m porcupine.Model, part []porcupine.Operation) int {
	if len(part) == 0 || porcupine.CheckOperations(m, part) {
		return 0
	}
	good, bad := 0, len(part)
	for bad-good > 1 {
		if middle := (good + bad) / 2; porcupine.CheckOperations(m, part[:middle]) {
			good = middle
		} else {
			bad = middle
		}
	}
	return bad
}

// chaosSteps are the inputs of operations.
func chaosSteps(ops []porcupine.Operation) (all []any) {
	for _, op := range ops {
		all = append(all, op.Input)
	}
	return all
}

//go:build long

package main

import (
	"context"
	"crypto/rand"
	"fmt"
	mathrand "math/rand/v2"
	"net/http"
	"runtime"
	"strings"
	"time"

	"muster/cmd/internal/checker"
	"muster/internal/conformance"
	"muster/loaders/store/postgres"
	"muster/net/login"
	"muster/net/protocol/crypt"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

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
// left itself. What a visit that was cut off has done is not known. Some visits are still there when the next one comes, which ends them. When visits are to end it comes once more.
func (c *chaos) comeAndGo(ctx context.Context, i int) {
	dice := mathrand.New(mathrand.NewPCG(c.seed, uint64(23+i)))
	before := make(chan struct{})
	close(before)
	n := 0
	for ; ctx.Err() == nil; n++ {
		over := make(chan struct{})
		v := &chaosVisit{c: c, i: i, n: n, gateway: dice.IntN(2), rude: dice.IntN(4) == 0}
		if travels(i) {
			v.hops = dice.IntN(3)
		}
		go func() {
			defer close(over)
			v.run()
		}()
		if dice.IntN(4) > 0 {
			<-over
		}
		<-before
		before = over
		select {
		case <-ctx.Done():
		case <-time.After(time.Duration(dice.Int64N(int64(300 * time.Millisecond)))):
		}
	}
	<-before
	c.comesLast(chaosName(i), func(try int) ending {
		v := &chaosVisit{c: c, i: i, n: n + try, gateway: dice.IntN(2), last: true}
		over := make(chan struct{})
		go func() {
			defer close(over)
			v.run()
		}()
		<-over
		return v.how
	})
}

// A chaosVisit is one visit of a visitor. A rude one ends its connection without a logout.
type chaosVisit struct {
	c       *chaos
	i, n    int
	gateway int
	rude    bool
	hops    int  // how often it changes the map
	last    bool // all faults are over
	began   time.Time
	*visitor
	hurry  func() bool // stops what hurries the connection
	sight  *conformance.Client
	at     msg.Place // with copper: how it is, or will be when the world has read what was sent
	copper uint32
	later  *checker.Character // where the visit before has asked it to go, without an answer
	taken  bool               // it goes there
	heard  uint16             // what it was sent last
	asking asked
	asked  []asked // what it has asked for without an answer, in order

	said    string    // what it has said last
	since   time.Time // and when
	partner *chaosVisit
	how     ending
}

// asked is what a session has asked for, and when.
type asked struct {
	checker.Character
	at time.Time
}

// run is the visit; what ends it ends the goroutine.
func (v *chaosVisit) run() {
	v.began = time.Now()
	v.prepare()
	defer v.end()
	v.comes()
	v.finds()
	v.at.Position.X += 0.5
	if v.n%200 >= 100 {
		v.at.Position.X--
	}
	v.asks()
	v.move(v.at)
	for hop := range v.hops {
		v.hop(hop)
	}
	if v.rude {
		v.how = endsRude
		return
	}
	v.asks()
	v.leaves()
	if v.later == nil {
		v.answered(checker.Leaves)
	}
	v.how = endsDone
}

// leaves logs out: again if the character goes where the visit before has asked it to go meanwhile, as a gateway takes nothing but the end of that then.
func (v *chaosVisit) leaves() {
	v.say(msg.OpPlayerLogout, &msg.Empty{})
	for {
		switch op, _ := v.next(); {
		case op == msg.OpLogoutComplete:
			return
		case op == msg.OpTimeSyncReq && v.taken:
			v.taken = false
			v.say(msg.OpPlayerLogout, &msg.Empty{})
		}
	}
}

// prepare has the visit check what it is sent.
func (v *chaosVisit) prepare() {
	v.sight = conformance.New(conformance.Config{Texts: 10})
	v.visitor = &visitor{t: v.c.t, name: chaosName(v.i), mortal: true, says: v.sends, fails: v.failed}
	v.reads = func(op uint16, body []byte) {
		if op == msg.OpLoginVerifyWorld {
			v.sight.Enter(v.guid)
		}
		v.sight.Packet(op, body)
		v.heard = op
		if op == msg.OpNewWorld && v.later != nil {
			v.taken = true
			v.say(msg.OpMoveWorldportAck, &msg.Empty{})
		}
		if v.said == msg.Name(uint32(msg.OpPlayerLogin)) { // entering begins when the gateway has its account, which may take as long as that waits
			v.waitsFor(v.said)
		}
	}
}

// end closes the connection, and notes what the visit may have done.
func (v *chaosVisit) end() {
	if v.hurry != nil {
		v.hurry()
	}
	if v.socket != nil {
		v.socket.Close()
	}
	v.c.noteVisit(v)
	for _, a := range v.asked {
		v.note(checker.MayMake, a.Character, a.at, a.at)
	}
	v.c.count(v.how)
	if n := v.sight.Violations(); n.Total() != 0 {
		v.c.violates("%s was sent what breaks a rule: %+v %q", v.name, n, v.sight.Texts())
	}
}

// comes logs the account in, and makes its character if it has none, with which the visit ends.
func (v *chaosVisit) comes() {
	v.dialer.Timeout = 5 * time.Second
	v.dial(v.c.auths[v.gateway])
	v.connected("the login server")
	v.write(login.AppendChallenge(nil, v.name))
	challenge := reply(v.visitor, login.ParseChallengeReply)
	if challenge.Result != login.Success {
		v.refused()
	}
	srp, err := crypt.NewClient(rand.Reader, v.name, strings.ToUpper(defaultPassword))
	v.check(err)
	A, M1, key, _, err := srp.Answer(challenge.Public, challenge.Salt)
	v.check(err)
	v.write(login.AppendProof(nil, A, M1))
	if reply(v.visitor, login.ParseProofReply).Result != login.Success {
		v.refused()
	}
	v.socket.Close()
	v.key = key
	v.dial(v.c.worlds[v.gateway])
	v.connected("the gateway")
	var hello msg.AuthChallenge
	v.await(msg.OpAuthChallenge, &hello)
	session := msg.AuthSession{Build: uint32(wire.V12340), Account: v.name, Realm: 1, ClientSeed: [4]byte{1, 2, 3, 4}}
	session.Digest = crypt.WorldProof(v.name, session.ClientSeed, hello.Seed, v.key)
	v.say(msg.OpAuthSession, &session)
	v.fromThem, v.toThem, v.keyed = crypt.ServerToClient(key), crypt.ClientToServer(key), true
	var welcome msg.AuthResponse
	if v.await(msg.OpAuthResponse, &welcome); welcome.Result != msg.AuthOK {
		v.refused()
	}
	all := v.list()
	if len(all) == 0 {
		v.say(msg.OpCharCreate, &msg.CharCreate{Name: chaosCharacter(v.i), Look: msg.Look{Race: 1, Class: 1}})
		var made msg.CharResult
		v.await(msg.OpCharCreateResult, &made)
		v.how = endsMade
		runtime.Goexit()
	}
	v.guid = all[0].GUID
}

// finds enters the world, and notes how the character is.
func (v *chaosVisit) finds() {
	began := time.Now()
	v.arrives()
	self, _ := v.sight.Self() // as at the end of the tick, which the login sequence before it is not
	v.copper, v.at.Position.X = v.sight.Copper(), self.X
	v.note(checker.Enters, v.character(), began, time.Now())
	v.c.mu.Lock()
	v.later, v.c.goes[v.i] = v.c.goes[v.i], nil
	v.c.mu.Unlock()
	if v.later != nil {
		v.hops = 0
	}
	v.mayGo()
}

// arrives enters the world.
func (v *chaosVisit) arrives() {
	v.say(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: v.guid})
	for v.at == (msg.Place{}) {
		switch op, body := v.next(); op {
		case msg.OpLoginVerifyWorld:
			v.check(msg.Decode(wire.V12340, body, &v.at))
		case msg.OpCharacterLoginFailed:
			v.refused()
		}
	}
	for !v.sight.Knows(v.guid) {
		v.next()
	}
}

// hop has the character go to another map, with a copper more.
func (v *chaosVisit) hop(n int) {
	v.copper++
	v.asks()
	v.command(".modify money 1")
	for v.sight.Copper() != v.copper {
		v.next()
	}
	v.answered(checker.Makes)
	to := (v.at.Map + 1 + uint32(n%2)) % 3
	x := 10 + float32(v.n%1000)/2
	v.at.Map, v.at.Position.X = to, x
	v.asks()
	v.sets(&checker.Character{Map: to, X: x})
	v.command(".go xyz %.1f %d 100 %d", x, v.i, to)
	var at msg.Place
	if v.await(msg.OpNewWorld, &at); at.Map != to || at.Position.X != x {
		v.c.violates("%s was sent to %+v, and not to map %d", v.name, at, to)
	}
	v.say(msg.OpMoveWorldportAck, &msg.Empty{})
	v.await(msg.OpTimeSyncReq, new(msg.TimeSyncReq))
	v.sets(nil)
	v.answered(checker.Makes)
	v.c.mu.Lock()
	v.c.hops++
	v.c.mu.Unlock()
}

// asks notes that the visit is about to ask for what the character is then. It is taken at once, or never, as far as another session can see.
func (v *chaosVisit) asks() {
	v.asking = asked{v.character(), time.Now()}
	v.asked = append(v.asked, v.asking)
	v.mayGo()
}

// mayGo notes that the character may yet go where the visit before has asked it to: a world that reads that in the tick in which another session
// takes the character over lets this one in, and then has it go.
func (v *chaosVisit) mayGo() {
	if v.later != nil {
		v.asked = append(v.asked, asked{checker.Character{Map: v.later.Map, X: v.later.X, Copper: v.copper}, time.Now()})
	}
}

// sets notes to which place the character was asked to go last, until it is there.
func (v *chaosVisit) sets(to *checker.Character) {
	v.c.mu.Lock()
	defer v.c.mu.Unlock()
	v.c.goes[v.i] = to
}

// answered notes that the visit has been told of what it has asked for last, which has come after all that it has asked for before.
func (v *chaosVisit) answered(kind checker.Kind) {
	v.asked = v.asked[:0]
	v.note(kind, v.asking.Character, v.asking.at, time.Now())
}

func (v *chaosVisit) character() checker.Character {
	return checker.Character{Map: v.at.Map, X: v.at.Position.X, Copper: v.copper}
}

// note adds a step to the history.
func (v *chaosVisit) note(kind checker.Kind, is checker.Character, began, ended time.Time) {
	v.c.history.Add(checker.Step{Subject: v.name, Session: v.n + 1, Kind: kind, State: is}, began, ended)
}

// judge checks, when the cluster has ended, that what sessions have seen is linearizable, and ends with what is stored.
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
			c.stored(chaosName(i), checker.Character{Map: ch.Map, X: ch.X, Copper: ch.MoneyCopper})
		}
	}
	c.judgePairs(s)
	wrong, err := c.history.Check(time.Minute)
	if err != nil {
		c.t.Error(err)
	}
	for _, steps := range wrong {
		steps = steps[max(0, len(steps)-12):]
		c.violates("logins, saves, trades and hand-overs are not linearizable:\n%s\nvisits meanwhile:\n%s", eachOn(steps), eachOn(c.visitsOf(steps)))
	}
	if c.history.Len() < chaosVisitors {
		c.violates("%d steps", c.history.Len())
	}
}

// stored adds what the store has of a subject, when the cluster has ended.
func (c *chaos) stored(subject string, s checker.State) {
	now := time.Now()
	c.history.Add(checker.Step{Subject: subject, Kind: checker.Stored, State: s}, now, now)
}

package main

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"testing"

	"muster/loaders/registry"
	"muster/net/login"
	"muster/net/protocol/msg"
)

// How many clients log in to how many accounts in TestLoginsRace: 300 to 20 at the same time, and some more in turn.
const (
	racedAccounts = 20
	racedTogether = 15 // of each account at the same time as those of the others
	racedInTurn   = 6  // of each account, each as soon as the one before is in a world of the other gateway
)

// A loginRace is a cluster with two processes for logins and two gateways, and which of them clients use.
type loginRace struct {
	*gatewayPair
	logins []string
}

// 300 clients log in at the same time, 15 to each of 20 accounts, through two processes for logins and two gateways. When each is in a world or closed, one of each
// account is in a world, and the registry has one session of it. Then more log in, each as soon as the one before of its account is in a world of the other gateway: it
// takes the place of that, which is answered no more. No character is in a world twice, and at the end no account is claimed.
func TestLoginsRace(t *testing.T) {
	waits(t)
	r := &loginRace{gatewayPair: startGateways(t)}
	eventually(t, "both processes for logins are there", func() bool {
		r.logins = nil
		for _, p := range r.list().Processes {
			if p.Role == registry.RoleLogin {
				r.logins = append(r.logins, p.Addresses["auth"])
			}
		}
		return len(r.logins) == 2
	})
	var all []*rivals
	for i := range atOnce(racedAccounts*racedTogether) / racedTogether {
		one := &rivals{loginRace: r, account: fmt.Sprintf("RIVAL%c", 'A'+i)}
		v := visit(t, r.at(i%2), one.account)
		v.create(fmt.Sprintf("Rival%c", 'a'+i))
		one.guid = v.list()[0].GUID
		v.socket.Close()
		all = append(all, one)
	}
	r.together(all)
	var racing sync.WaitGroup
	for _, one := range all {
		racing.Go(one.inTurn)
	}
	racing.Wait()
	eventually(t, "all accounts are given back", func() bool { return len(r.claimed()) == 0 })
	if n := r.expelled(); n != "00" {
		t.Errorf("%s characters were in a world when another gateway brought them, by worker", n)
	}
	r.stop(os.Interrupt, 1)
}

// together has all clients of all accounts log in at the same time, and counts those of each that are answered in a world after each has been let in or closed.
func (r *loginRace) together(all []*rivals) {
	t := r.t
	t.Helper()
	var deciding, asking, racing sync.WaitGroup
	begin, decided, counted := make(chan struct{}), make(chan struct{}), make(chan struct{})
	for _, one := range all {
		for n := range racedTogether {
			deciding.Add(1)
			asking.Add(1)
			racing.Go(func() {
				through, asked := sync.OnceFunc(deciding.Done), sync.OnceFunc(asking.Done)
				defer asked()
				defer through()
				<-begin
				v := one.enter(n)
				defer v.socket.Close()
				one.let.Add(1)
				through()
				<-decided
				v.answered()
				one.stay.Add(1)
				asked()
				<-counted
			})
		}
	}
	close(begin)
	deciding.Wait()
	close(decided)
	asking.Wait()
	var let int32
	for _, one := range all {
		let += one.let.Load()
		if n := one.stay.Load(); n != 1 {
			t.Errorf("%s: of %d clients that logged in together %d are in a world, want 1", one.account, racedTogether, n)
		}
	}
	t.Logf("of %d clients that logged in together %d were let in, one after another of an account", len(all)*racedTogether, let)
	if by := r.claimed(); by[1]+by[2] != len(all) {
		t.Errorf("the gateways have claimed %v accounts, want %d in all", by, len(all))
	}
	eventually(t, "the worlds have one player of each account", func() bool {
		players := 0
		for _, s := range r.list().Shards {
			players += s.Players
		}
		return players == len(all)
	})
	close(counted)
	racing.Wait()
}

// rivals are the clients of one account.
type rivals struct {
	*loginRace
	account string
	guid    uint64
	let     atomic.Int32 // how many of those together have been let into a world
	stay    atomic.Int32 // how many of them are there when each has been let in or closed
	entered atomic.Int32 // how many have entered in turn
}

// inTurn has clients log in one after another.
func (r *rivals) inTurn() {
	var playing sync.WaitGroup
	for n := range racedInTurn {
		entered := make(chan struct{})
		playing.Go(func() { r.play(n, entered) })
		<-entered
	}
	playing.Wait()
	if n := r.entered.Load(); n != racedInTurn {
		r.t.Errorf("%s: %d clients have entered in turn, want %d", r.account, n, racedInTurn)
	}
}

// enter has the n-th client log in, by itself, and go into a world, by the other gateway than the one before. The goroutine ends if it is not let in.
func (r *rivals) enter(n int) *visitor {
	v := &visitor{t: r.t, name: r.account, guid: r.guid, mortal: true}
	v.logsIn(r.logins[n/2%2])
	v.greet(r.at(n%2), func(*msg.AuthSession) {})
	v.say(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: v.guid})
	v.await(msg.OpLoginVerifyWorld, new(msg.Place))
	return v
}

// logsIn gets a key from a process for logins, with the default password.
func (v *visitor) logsIn(auth string) {
	v.dial(auth)
	v.write(login.AppendChallenge(nil, v.name))
	v.key = v.proves(reply(v, login.ParseChallengeReply))
	reply(v, login.ParseProofReply)
	v.socket.Close()
}

// answered waits for the answer to a ping. The goroutine ends if the connection does.
func (v *visitor) answered() {
	v.pings++
	v.say(msg.OpPing, &msg.Ping{Sequence: v.pings})
	v.await(msg.OpPong, new(msg.Pong))
}

// play is the n-th client of those in turn, which is in a world for some pings, or until another one takes its place. Entered is closed when it is there or cannot be.
func (r *rivals) play(n int, entered chan struct{}) {
	end := sync.OnceFunc(func() { close(entered) })
	defer end()
	v := r.enter(n)
	defer v.socket.Close()
	mine := r.entered.Add(1)
	end()
	for range 50 {
		last := r.entered.Load()
		if v.answered(); last != mine {
			v.t.Errorf("%s: a client is answered that another one has replaced", v.name)
			return
		}
	}
}

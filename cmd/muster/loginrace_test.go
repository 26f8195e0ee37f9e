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

// How many clients log in to how many accounts in TestLoginsRace: 300 to 20.
const (
	racedAccounts = 20
	racedTogether = 8 // of each account at the same time
	racedInTurn   = 7 // of each account, each as soon as the one before is in a world
)

// A loginRace is a cluster with two processes for logins and two gateways, and which of them clients use.
type loginRace struct {
	*gatewayPair
	logins []string
}

// Of each of 20 accounts 8 clients log in at the same time, and 7 more as soon as the one before is in a world, through two processes for logins and two
// gateways, all accounts at once. Of those together one is in a world when all are through; of the others each takes the place of the one before, which is
// answered no more. No character is in a world twice, and at the end no account is claimed.
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
	accounts := atOnce(racedAccounts*racedTogether) / racedTogether
	var racing sync.WaitGroup
	for i := range accounts {
		one := &rivals{loginRace: r, account: fmt.Sprintf("RIVAL%c", 'A'+i)}
		first := visit(t, r.at(i%2), one.account)
		first.create(fmt.Sprintf("Rival%c", 'a'+i))
		one.guid = first.list()[0].GUID
		racing.Go(func() {
			defer first.socket.Close()
			one.race()
		})
	}
	racing.Wait()
	eventually(t, "all accounts are given back", func() bool { return len(r.claimed()) == 0 })
	if n := r.expelled(); n != "00" {
		t.Errorf("%s characters were in a world when another gateway brought them, by worker", n)
	}
	r.stop(os.Interrupt, 1)
}

// rivals are the clients of one account.
type rivals struct {
	*loginRace
	account string
	guid    uint64
	entered atomic.Int32 // how many have, in turn
}

func (r *rivals) race() {
	if n := r.together(); n != 1 {
		r.t.Errorf("%s: of %d clients that logged in together %d are in a world, want 1", r.account, racedTogether, n)
	}
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

// enter has the n-th client log in, by itself, and go into a world. The goroutine ends if it is not let in.
func (r *rivals) enter(n int) *visitor {
	v := &visitor{t: r.t, name: r.account, guid: r.guid, mortal: true}
	v.logsIn(r.logins[n%2])
	v.greet(r.at(n/2%2), func(*msg.AuthSession) {})
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

// together has clients log in at the same time, and returns how many of them are answered in a world after all have been let in or closed.
func (r *rivals) together() (answered int32) {
	var deciding, asking sync.WaitGroup
	decided := make(chan struct{})
	var n atomic.Int32
	deciding.Add(racedTogether)
	for i := range racedTogether {
		asking.Go(func() {
			through := sync.OnceFunc(deciding.Done)
			defer through()
			v := r.enter(i)
			defer v.socket.Close()
			through()
			<-decided
			v.answered()
			n.Add(1)
		})
	}
	deciding.Wait()
	close(decided)
	asking.Wait()
	return n.Load()
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

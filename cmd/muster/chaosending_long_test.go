//go:build long

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"muster/cmd/internal/checker"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// An ending is how a visit has ended.
type ending string

const (
	endsDone       ending = "logged out"
	endsRude       ending = "left without a logout"
	endsMade       ending = "made their character"
	endsRefused    ending = "were refused"
	endsCut        ending = "were cut off"
	endsAway       ending = "found no gateway"
	endsTrade      ending = "had their trade ended"
	endsPartner    ending = "had their partner's visit end"
	endsTest       ending = "were under way when the test ended"
	endsUnanswered ending = "were not answered"
)

const (
	// chaosPatience is how long a visitor waits for an answer: for longer than any fault takes and than a gateway waits for an account (gateway.Config.ClaimTime, 45 s),
	// and not until a gateway ends the connection of a client that is silent (IdleActive, 60 s).
	chaosPatience = 50 * time.Second
	// chaosEnd is how long it waits when visits are to end.
	chaosEnd = 5 * time.Second
)

// sends notes what the visit asks for, and has it wait for an answer anew. Packet has a plain header.
func (v *chaosVisit) sends(packet []byte) {
	op, _, _ := wire.ClientHeader(packet)
	v.waitsFor(msg.Name(op))
	if v.partner != nil { // which may be told of it
		v.partner.waitsFor(v.partner.said)
	}
}

// waitsFor has the visit end if what it has said is not answered within chaosPatience, or within chaosEnd of when visits are to end.
func (v *chaosVisit) waitsFor(said string) {
	v.said, v.since = said, time.Now()
	patience := chaosPatience
	if v.c.ending.Err() != nil && !v.last {
		patience = chaosEnd
	}
	v.socket.SetDeadline(v.since.Add(patience))
}

// connected has the visit wait on its connection, and no longer than chaosEnd when visits are to end.
func (v *chaosVisit) connected(to string) {
	v.waitsFor("it has connected to " + to)
	if v.hurry != nil {
		v.hurry()
	}
	if socket := v.socket; !v.last {
		v.hurry = context.AfterFunc(v.c.ending, func() { socket.SetDeadline(time.Now().Add(chaosEnd)) })
	}
}

// failed notes what has ended the visit. One that was not answered, and one that does not understand what it is sent, fail the test: no fault takes as long as
// a visit waits, and a gateway that is killed ends its connections at once. A dealer may wait in vain for what its partner was to do if that one's connection has ended.
func (v *chaosVisit) failed(err error) {
	var op *net.OpError
	waited := time.Since(v.since)
	switch {
	case errors.As(err, &op) && op.Op == "dial", isEnd(err) && v.key == [40]byte{}: // what carries connections to it takes them, and ends them
		v.how = endsAway
	case errors.Is(err, os.ErrDeadlineExceeded) && v.partner != nil && v.partner.isCut():
		v.how = endsPartner
	case errors.Is(err, os.ErrDeadlineExceeded) && waited < chaosPatience:
		v.how = endsTest
	case errors.Is(err, os.ErrDeadlineExceeded):
		v.how = endsUnanswered
		v.c.violates("%s (visit %d, through gateway %d) has waited %v in vain after %s; it was sent %s last", v.name, v.n+1, v.gateway+1, waited.Round(time.Second), v.said, msg.Name(uint32(v.heard)))
	case errors.Is(err, errTradeEnded):
		v.how = endsTrade
	case v.said == msg.Name(uint32(msg.OpAuthSession)): // a refusal is in plain, and is read as if it were not
		v.how = endsRefused
	case isEnd(err):
		v.how = endsCut
	default:
		v.how = endsCut
		v.c.violates("%s (visit %d), after %s: %v", v.name, v.n+1, v.said, err)
	}
}

// isEnd reports whether an error is the end of a connection.
func isEnd(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}

// refused ends a visit that the server has refused.
func (v *chaosVisit) refused() {
	v.how = endsRefused
	runtime.Goexit()
}

// isCut reports whether the connection of a visit has ended: what has come of it before is read.
func (v *chaosVisit) isCut() bool {
	v.socket.SetReadDeadline(time.Now().Add(time.Second))
	_, err := io.Copy(io.Discard, v.socket)
	return !errors.Is(err, os.ErrDeadlineExceeded)
}

// count counts a visit.
func (c *chaos) count(how ending) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.endings[cmp.Or(how, endsPartner)]++
}

// A pastVisit is one that has ended.
type pastVisit struct {
	number, gateway int
	began, ended    time.Time
	said            string // last
	how             ending
}

func (p pastVisit) String() string {
	const clock = "15:04:05.000"
	return fmt.Sprintf("%s to %s: visit %d through gateway %d, %s, has said %s last", p.began.UTC().Format(clock), p.ended.UTC().Format(clock), p.number, p.gateway+1, p.how, p.said)
}

// noteVisit keeps how a visit has ended, by which what is not linearizable is explained.
func (c *chaos) noteVisit(v *chaosVisit) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.visits == nil {
		c.visits = make(map[string][]pastVisit)
	}
	c.visits[v.name] = append(c.visits[v.name], pastVisit{v.n + 1, v.gateway, v.began, time.Now(), v.said, v.how})
}

// visitsOf are the visits of a character between the first and the last of some steps.
func (c *chaos) visitsOf(steps checker.Violation) (some []pastVisit) {
	c.mu.Lock()
	defer c.mu.Unlock()
	first, last := steps[0], steps[len(steps)-1]
	for _, p := range c.visits[first.Subject] {
		if p.ended.After(first.Began) && p.began.Before(last.Ended) {
			some = append(some, p)
		}
	}
	return some
}

// eachOn has each on a line of its own.
func eachOn[T fmt.Stringer](all []T) string {
	var b strings.Builder
	for _, one := range all {
		fmt.Fprintln(&b, one)
	}
	return b.String()
}

// comesLast has visits come, now that no fault is under way, until one has ended as it was meant to.
func (c *chaos) comesLast(name string, visit func(try int) ending) {
	began := time.Now()
	for try := 0; !c.t.Failed(); try++ {
		how := visit(try)
		if how == endsDone {
			return
		}
		if time.Since(began) > 2*chaosPatience { // time for another one after one that has waited for all of it
			c.violates("%s comes in vain after all faults: %d visits, of which the last %s", name, try+1, how)
			return
		}
		<-time.After(100 * time.Millisecond) // so that one that is refused at once does not take the processor
	}
}

// chaosDone is the least share of the visits which end as they are meant to, of those that have found a gateway and were let in, in percent. It is some 85.
const chaosDone = 40

// judgeEndings logs how visits have ended, and fails the test if too few have ended as they were meant to.
func (c *chaos) judgeEndings() {
	found, meant := 0, c.endings[endsDone]+c.endings[endsRude]+c.endings[endsMade]
	var how []string
	for _, e := range slices.Sorted(maps.Keys(c.endings)) {
		if e != endsAway && e != endsRefused { // of these there may be many in a second
			found += c.endings[e]
		}
		how = append(how, fmt.Sprintf("%d %s", c.endings[e], e))
	}
	c.t.Logf("visits: %s", strings.Join(how, ", "))
	if meant*100 < found*chaosDone {
		c.violates("%d of %d visits have ended as they were meant to, want %d %%", meant, found, chaosDone)
	}
}

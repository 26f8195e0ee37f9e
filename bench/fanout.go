package bench

import (
	"context"
	"crypto/sha1"
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"

	"muster/net/protocol/crypt"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// fanOutBytes is what each client of S8 is sent in each tick, headers included.
const fanOutBytes = 1024

// writeTime is the figure of S8 that says what a send costs.
const writeTime = "processor time per write"

// fanRates are how often a second each client is sent to: the first that all senders hold is the one at which they are
// compared. That one write costs less than another says nothing if there are fewer of them.
var fanRates = []float64{fullRate, 16, 12.5, 10, 8, 5}

// holds is the share of the writes due that a sender has to reach to hold a rate.
const holds = 0.97

// fanOut measures what it costs to send each of 5,000 clients 1 KiB in each tick: the way of the gateway, which replays
// frames, seals them and sends; a loop of direct calls; and gnet, which is asked to send to one client after another.
func fanOut(ctx context.Context, c *Config, s *sheet) (text string, repetitions int, err error) {
	clients, window, repetitions, rates := 5_000, 5*time.Second, 5, fanRates
	if c.Quick {
		clients, window, repetitions, rates = 200, 2*time.Second, 1, fanRates[:1]
	}
	var of [len(senders)]fanned
	var rate float64
	for _, rate = range rates {
		if of, err = fanAll(ctx, c.Muster, clients, rate, window); err != nil {
			return "", 0, err
		}
		if rate == fullRate {
			for i, how := range senders {
				figure := s.put(fmt.Sprintf("%s at %.0f a second: writes", how.name, rate), "% of those due", 100*of[i].held)
				if i == 0 {
					figure.atLeast(100*holds, OfLeast)
				}
			}
		}
		if of[0].held >= holds && of[1].held >= holds && of[2].held >= holds {
			break
		}
	}
	for r := range repetitions {
		if r > 0 {
			if of, err = fanAll(ctx, c.Muster, clients, rate, window); err != nil {
				return "", 0, err
			}
		}
		ours, direct, library := of[0], of[1], of[2]
		s.put("writes to a client at which all are compared", "per second", rate)
		s.put(writeTime, "µs", ours.micros).beside(senders[1].name, direct.micros).atMost(1.15, OfRatio).stretch(0.92)
		s.put("the same", "µs", ours.micros).beside(senders[2].name, library.micros).atLeast(1.2, OfTimes)
		s.put("user mode, of the processor time", "%", 100*ours.user).atMost(8, OfMedian)
		for i, how := range senders {
			s.put(how.name+", writes", "% of those due", 100*of[i].held).atLeast(100*holds, OfLeast)
		}
	}
	return fmt.Sprintf("A process with one processor sends each of %d clients %d bytes, at several rates. Ours is `net/gateway` with "+
		"sessions that have logged in, and a world that broadcasts the same to all: it replays frames, encrypts headers "+
		"and sends. The baselines have the bytes ready: one goroutine with direct calls of sendto, and gnet, called "+
		"with AsyncWrite for each client. The three take turns, all at the highest of the rates %v at which each of "+
		"them delivers %.0f%% of the writes that are due, or the last of them if there is none; their results at the "+
		"first rate are figures too. Processor time is that of the process, user and system; a write is a segment with "+
		"data that the kernel of a client has received, so that two that were joined count once.",
		clients, fanOutBytes, rates, 100*holds), repetitions, nil
}

// fanAll has all senders send, one after the other.
func fanAll(ctx context.Context, muster string, clients int, rate float64, window time.Duration) (of [len(senders)]fanned, err error) {
	for i, how := range senders {
		if of[i], err = fan(ctx, muster, how.flag, clients, rate, window); err != nil {
			return of, fmt.Errorf("%s: %w", how.name, err)
		}
	}
	return of, nil
}

// sentToAll is how long a sender has until it sends to all clients as it should. After that it is measured as it is:
// how many writes there were is said.
const sentToAll = 20 * time.Second

// senders are the ways to send: what they are called, and as floor --how names them.
var senders = [...]struct{ name, flag string }{{"ours", "gate"}, {"direct sendto", "send"}, {"gnet, AsyncWrite", "gnet"}}

// A fanned is what one way to send took.
type fanned struct {
	micros float64 // processor time of a write
	user   float64 // the share of it in user mode
	held   float64 // how many writes arrived, for one that was due
}

// fan has clients sent to in one way, each so many times a second, and measures that once all are. However few a second
// has, as many writes are measured.
func fan(ctx context.Context, muster, how string, clients int, rate float64, window time.Duration) (f fanned, err error) {
	perSecond := float64(clients) * rate
	server, said, err := startAt(ctx, 0, muster, floorReady, "floor", "--how", how, "--clients", strconv.Itoa(clients),
		"--flushes", strconv.FormatFloat(perSecond, 'f', -1, 64), "--bytes", strconv.Itoa(fanOutBytes))
	if err != nil {
		return fanned{}, err
	}
	defer func() { err = errors.Join(err, server.stop()) }()
	var hello func(int, net.Conn) error
	if how == "gate" {
		hello = knock
	}
	load, err := greetLoad(ctx, said[0], clients, hello)
	if err != nil {
		return fanned{}, err
	}
	defer load.close()
	asked := time.Now()
	due := perSecond * fanOutBytes * settle.Seconds() // of a second in which all are sent to
	for before := uint64(0); time.Since(asked) < sentToAll; {
		if err := sleep(ctx, settle); err != nil {
			return fanned{}, err
		}
		if err := load.failed(); err != nil {
			return fanned{}, err
		}
		now := load.received.Load()
		if float64(now-before) > holds*due {
			break
		}
		before = now
	}
	sent, err := segments(load.conns)
	if err != nil {
		return fanned{}, err
	}
	began, received := time.Now(), load.received.Load()
	before, err := timesOf(server)
	if err != nil {
		return fanned{}, err
	}
	if err := sleep(ctx, time.Duration(float64(window)*fullRate/rate)); err != nil {
		return fanned{}, err
	}
	after, err := timesOf(server)
	if err != nil {
		return fanned{}, err
	}
	took := time.Since(began)
	upTo, err := segments(load.conns)
	if err != nil {
		return fanned{}, err
	}
	writes := float64(upTo - sent)
	if upTo == 0 { // the kernel does not count them
		writes = float64(load.received.Load()-received) / fanOutBytes
	}
	if writes == 0 {
		return fanned{}, fmt.Errorf("nothing arrived in %v", took)
	}
	f = fanned{micros: micros(after.all-before.all) / writes, held: writes / (perSecond * took.Seconds())}
	user, system := after.user-before.user, after.system-before.system
	if user+system > 0 { // a short run may end within a tick of the kernel
		f.user = float64(user) / float64(user+system)
	}
	return f, nil
}

// times are the processor times of a process: all of it by the nanosecond, and its parts by the tick of the kernel.
type times struct{ all, user, system time.Duration }

func timesOf(p *process) (t times, err error) {
	if t.all, err = p.cpu(); err != nil {
		return times{}, err
	}
	t.user, t.system, err = p.times()
	return t, err
}

// fanName and fanKey are the account of a client of S8 and the session key that it has proven.
func fanName(i int) string { return "FAN" + strconv.Itoa(i) }

func fanKey(i int) (key [40]byte) {
	sum := sha1.Sum([]byte(fanName(i)))
	copy(key[:], sum[:])
	return key
}

// knock logs a client into the world with the key that the server knows of it. What comes then is not looked at.
func knock(i int, socket net.Conn) error {
	c := caller{socket: socket}
	var hello msg.AuthChallenge
	if err := c.await(msg.OpAuthChallenge, &hello); err != nil {
		return err
	}
	session := msg.AuthSession{Build: uint32(wire.V12340), Account: fanName(i), Realm: 1}
	session.Digest = crypt.WorldProof(session.Account, session.ClientSeed, hello.Seed, fanKey(i))
	toThem := crypt.ClientToServer(fanKey(i))
	login := msg.ClientPacket(nil, wire.V12340, msg.OpPlayerLogin, &msg.PlayerLogin{GUID: uint64(i + 1)})
	toThem.XOR(login[:wire.ClientHeaderLen])
	_, err := socket.Write(append(msg.ClientPacket(nil, wire.V12340, msg.OpAuthSession, &session), login...))
	return err
}

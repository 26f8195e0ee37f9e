package bench

import (
	"context"
	"crypto/sha1"
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"

	"muster/net/crypt"
	"muster/net/msg"
	"muster/net/wire"
)

// fanOutBytes is what each client of S8 is sent in each tick, headers included.
const fanOutBytes = 1024

// fanOut measures what it costs to send each of 5,000 clients 1 KiB in each tick: the way of the gateway, which replays
// frames, seals them and sends; a loop of direct calls; and gnet, which is asked to send to one client after another.
func fanOut(ctx context.Context, c *Config, s *sheet) (text string, repetitions int, err error) {
	clients, window, repetitions := 5_000, 5*time.Second, 5
	if c.Quick {
		clients, window, repetitions = 200, time.Second, 1
	}
	writes := float64(clients) * fullRate
	for range repetitions {
		var of [len(senders)]fanned
		for i, how := range senders {
			if of[i], err = fan(ctx, c.Muster, how, clients, window); err != nil {
				return "", 0, fmt.Errorf("%s: %w", how, err)
			}
		}
		ours, direct, library := of[0], of[1], of[2]
		s.put("processor time per write", "µs", ours.micros).beside("direct sendto", direct.micros).atMost(1.15, OfRatio).stretch(0.92)
		s.put("the same", "µs", ours.micros).beside("gnet, AsyncWrite", library.micros).atLeast(1.2, OfTimes)
		s.put("user mode, of the processor time", "%", 100*ours.user).atMost(8, OfMedian)
		s.put("writes", "per second", ours.writes).beside("as many as are due", writes)
		s.put("writes of direct sendto", "per second", direct.writes).beside("as many as are due", writes)
		s.put("writes of gnet", "per second", library.writes).beside("as many as are due", writes)
	}
	return fmt.Sprintf("A process with one processor sends each of %d clients %d bytes, 20 times a second. Ours is `net/gate` with "+
		"sessions that have logged in, before a world that says the same to all: it replays frames, encrypts headers and sends. "+
		"The baselines have the bytes ready: one goroutine with direct calls of sendto, and gnet, asked with AsyncWrite for each "+
		"client. The three take turns. Processor time is that of the process, user and system; a write is %d bytes that arrived.", clients, fanOutBytes, fanOutBytes), repetitions, nil
}

// sentToAll is how long a sender has until it sends to all clients as it should. After that it is measured as it is:
// how many writes there were is said.
const sentToAll = time.Minute

// senders are the ways to send, as floor --how names them.
var senders = [...]string{"gate", "send", "gnet"}

// A fanned is what one way to send took.
type fanned struct {
	micros float64 // processor time of a write
	user   float64 // the share of it in user mode
	writes float64 // per second, as they arrived
}

// fan has clients sent to in one way, and measures that once all are.
func fan(ctx context.Context, muster, how string, clients int, window time.Duration) (f fanned, err error) {
	server, said, err := startAt(ctx, 0, muster, floorReady, "floor", "--how", how, "--clients", strconv.Itoa(clients),
		"--flushes", strconv.Itoa(clients*fullRate), "--bytes", strconv.Itoa(fanOutBytes))
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
	due := float64(clients) * fanOutBytes * fullRate * settle.Seconds() // of a second in which all are sent to
	for before := uint64(0); time.Since(asked) < sentToAll; {
		if err := sleep(ctx, settle); err != nil {
			return fanned{}, err
		}
		if err := load.failed(); err != nil {
			return fanned{}, err
		}
		now := load.received.Load()
		if float64(now-before) > 0.97*due {
			break
		}
		before = now
	}
	began, bytes := time.Now(), load.received.Load()
	before, err := timesOf(server)
	if err != nil {
		return fanned{}, err
	}
	if err := sleep(ctx, window); err != nil {
		return fanned{}, err
	}
	after, err := timesOf(server)
	if err != nil {
		return fanned{}, err
	}
	writes := float64(load.received.Load()-bytes) / fanOutBytes
	if writes == 0 {
		return fanned{}, fmt.Errorf("nothing arrived in %v", time.Since(began))
	}
	f = fanned{micros: micros(after.all-before.all) / writes, writes: writes / time.Since(began).Seconds()}
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

package gateway

import (
	"testing"
	"time"

	"muster/net/protocol/msg"
)

// silences looks at the one connection of a rig as its loop does, as if so long had gone by since it was heard, and returns
// why it would be closed.
func (r *rig) silences(after time.Duration) (reason string) {
	r.onLoops(func(l *loop) {
		for _, c := range l.conns {
			heard, _ := c.session.Heard()
			c.checkSilence(heard.Add(after))
			reason, c.reason, l.marked = c.reason, "", nil
		}
	})
	return reason
}

// heardAt is when the one connection of a rig was heard.
func (r *rig) heardAt() (at time.Time) {
	r.onLoops(func(l *loop) {
		for _, c := range l.conns {
			at, _ = c.session.Heard()
		}
	})
	return at
}

// Outside a world a client is closed after 15 minutes without anything but pings and CMSG_KEEP_ALIVE.
//
// Source: SocketTimeOutTime, worldserver.conf.dist, AzerothCore.
func TestIdle(t *testing.T) {
	r := newRig(t, nil)
	a := r.dial("ANNA").login()
	before := r.heardAt()
	a.say(msg.OpKeepAlive, &msg.Empty{})
	a.ping(1)
	if at := r.heardAt(); at != before {
		t.Errorf("a ping or CMSG_KEEP_ALIVE has been heard, %v later", at.Sub(before))
	}
	if reason := r.silences(900 * time.Second); reason != "" {
		t.Errorf("closed for %q after 900 s", reason)
	}
	if reason := r.silences(900*time.Second + 1); reason != Idle {
		t.Errorf("closed for %q after more, want %q", reason, Idle)
	}
	a.character()
	if at := r.heardAt(); !at.After(before) {
		t.Error("CMSG_CHAR_ENUM has not been heard")
	}
}

// A loop closes what is idle by itself, too.
func TestIdleIsSwept(t *testing.T) {
	r := newRig(t, func(c *Config) { c.IdleActive = time.Hour })
	quiet, in := r.dial("ALICE").login(), r.dial("BOB").login().character().enter()
	in.say(msg.OpKeepAlive, &msg.Empty{})
	in.ping(0)
	r.onLoops(func(l *loop) { // as it does every second
		l.swept = time.Now().Add(16 * time.Minute)
		l.sweep(l.swept.Add(time.Second))
	})
	quiet.ended()
	r.closed(Idle, 1)
	in.ping(1)
}

// In a world it is a minute, which CMSG_KEEP_ALIVE begins anew and CMSG_PING does not. A client that has entered and sent
// nothing there yet has as long as on the character screen.
//
// Source: SocketTimeOutTimeActive, worldserver.conf.dist; WorldSocket::ReadDataHandler, AzerothCore.
func TestIdleActive(t *testing.T) {
	r := newRig(t, nil)
	a := r.dial("ANNA").login().character().enter()
	a.ping(1)
	if reason := r.silences(61 * time.Second); reason != "" {
		t.Errorf("a client that has not said anything in its world is closed for %q", reason)
	}
	before := r.heardAt()
	a.say(msg.OpKeepAlive, &msg.Empty{})
	a.ping(2)
	alive := r.heardAt()
	if !alive.After(before) {
		t.Error("CMSG_KEEP_ALIVE has not been heard")
	}
	a.ping(3)
	if at := r.heardAt(); at != alive {
		t.Error("CMSG_PING has been heard")
	}
	if reason := r.silences(60 * time.Second); reason != "" {
		t.Errorf("closed for %q after 60 s", reason)
	}
	if reason := r.silences(60*time.Second + 1); reason != IdleActive {
		t.Errorf("closed for %q after more, want %q", reason, IdleActive)
	}
	if !lost[IdleActive] {
		t.Error("its player leaves a fight")
	}
}

// Nothing is closed for silence where that is switched off, and nothing in a world whose clock may stand still.
func TestIdleMayStay(t *testing.T) {
	for _, change := range []func(*Config){
		func(c *Config) { c.KeepIdle = true },
		func(c *Config) { c.Still = true },
	} {
		r := newRig(t, change)
		a := r.dial("ANNA").login().character().enter()
		a.say(msg.OpKeepAlive, &msg.Empty{})
		a.ping(1)
		if reason := r.silences(24 * time.Hour); reason != "" {
			t.Errorf("closed for %q", reason)
		}
	}
}

// A client that does not answer SMSG_TIME_SYNC_REQ for 35 s is counted and logged once, until it answers.
func TestTimeSyncIsMissed(t *testing.T) {
	r := newRig(t, nil)
	a := r.dial("ANNA").login().character().enter()
	a.ping(1)
	entered := func() (at time.Time) {
		r.onLoops(func(l *loop) {
			for _, c := range l.conns {
				at, _ = c.session.Synced()
			}
		})
		return at
	}
	since := entered()
	r.onLoops(func(l *loop) { // at once, so that the loop does not look at the true time in between
		for _, k := range []struct {
			after time.Duration
			want  uint64
		}{{35 * time.Second, 0}, {36 * time.Second, 1}, {40 * time.Second, 1}, {0, 1}, {50 * time.Second, 2}} {
			for _, c := range l.conns {
				c.checkSilence(since.Add(k.after))
			}
			if n := r.metric.Value(Unsynced); len(l.conns) > 0 && n != k.want {
				t.Errorf("%d are counted %v after it has entered, want %d", n, k.after, k.want)
			}
		}
	})
	a.say(msg.OpTimeSyncResp, &msg.TimeSyncResp{})
	a.ping(2)
	if !entered().After(since) {
		t.Error("the answer is not noticed")
	}
}

// Pings that come one after the other are answered; AzerothCore closes for the third within 27 s of the one before.
func TestPingsMayCome(t *testing.T) {
	r := newRig(t, nil)
	a := r.dial("ANNA").login()
	for n := range uint32(8) {
		a.ping(n)
	}
	a.character()
}

package gate

import (
	"context"
	"net/netip"
	"testing"

	"go.uber.org/goleak"

	"muster/net/msg"
)

var loopback = netip.MustParseAddrPort("127.0.0.1:0")

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreCurrent())
}

func TestLogin(t *testing.T) {
	r := newRig(t, nil)
	a := r.dial("ALICE").login().character().enter()
	b := r.dial("BOB").login().character().enter()
	b.say(msg.OpMoveStop, &msg.Move{Mover: b.guid})
	if got := a.expect(msg.OpMoveStop); got[1] != uint8(b.guid) {
		t.Errorf("saw % x", got)
	}
	a.ping(5)
	a.say(msg.OpPlayerLogout, &msg.Empty{})
	a.expect(msg.OpLogoutComplete)
	a.say(msg.OpCharEnumQuery, &msg.Empty{})
	a.list()
	a.enter()
	until(t, "saved", func() bool {
		c, _ := r.store.Character(context.Background(), a.guid)
		return c.Version == 2
	})
}

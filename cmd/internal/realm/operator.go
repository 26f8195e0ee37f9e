package realm

import (
	"net"

	"muster/cmd/internal/link"
	"muster/cmd/internal/process"
	"muster/cmd/internal/upgrade"
	"muster/loaders/registry"
	"muster/net/ops/console"
)

// openSocket opens the socket for muster ctl, nil if it cannot: the realm goes on without.
func (r *Realm) openSocket() *net.UnixListener {
	if r.socket == "" {
		return nil
	}
	l, err := console.Listen(r.socket)
	if err != nil {
		r.Log.Warn("muster ctl cannot reach this server", "err", err)
		r.socket = ""
		return nil
	}
	r.Log.Info("listening for muster ctl", "socket", r.socket)
	return l
}

// newUpgrader makes what has this gateway's realm upgraded, and this gateway drained.
func (r *Realm) newUpgrader() *upgrade.Upgrader {
	var shared *registry.Registry
	if r.config.member != nil {
		shared = r.config.member.Registry
	}
	return upgrade.New(upgrade.Config{
		Bus: r.links.bus, Realm: link.Subject(r.config.RealmName), Registry: shared, Name: r.config.RealmName, Gateway: uint32(r.config.Gateway), Made: r.Made(), Players: r.connected,
		Drain: func() {
			r.abandons.Store(true)
			r.shutdown(process.ExitOK)
		},
	})
}

// shutdown ends the realm with a code, as an operator wants it.
func (r *Realm) shutdown(code int) {
	r.code.Store(int32(code))
	r.end()
}

package main

import (
	"os"

	"muster/cmd/internal/membership"
	"muster/cmd/internal/readyfile"
	"muster/cmd/internal/release"
)

// readyState is what the ready file of an open realm says.
func (r *realm) readyState(at open) *readyfile.State {
	v := r.config
	s := &readyfile.State{
		Version: release.Name(), PID: os.Getpid(), Realm: v.RealmName,
		Auth: at.reachableLogins(), World: membership.Reachable(at.world).String(), Admin: membership.Reachable(at.admin).String(),
		Ports:  readyfile.Ports{Auth: at.logins.Port(), World: at.world.Port(), Admin: at.admin.Port()},
		Socket: readyfile.Absolute(r.socket), AdminToken: v.AdminToken, AdminTokenFile: readyfile.Absolute(v.AdminTokenFile),
		Clock: v.Clock, Ephemeral: v.Ephemeral,
	}
	if !v.Ephemeral {
		s.Data = readyfile.Absolute(v.Data)
	}
	return s
}

// reachableLogins is where this machine reaches the logins, "" if there are none.
func (o *open) reachableLogins() string {
	if !o.logins.IsValid() {
		return ""
	}
	return membership.Reachable(o.logins).String()
}

package realm

import (
	"os"

	"muster/cmd/internal/membership"
	"muster/cmd/internal/readyfile"
	"muster/cmd/internal/release"
)

// readyState is what the ready file of an open realm says.
func (r *Realm) readyState(at Open) *readyfile.State {
	v := r.config
	s := &readyfile.State{
		Version: release.Name(), PID: os.Getpid(), Realm: v.RealmName,
		Auth: at.reachableLogins(), World: membership.Reachable(at.World).String(), Admin: membership.Reachable(at.Admin).String(),
		Ports:  readyfile.Ports{Auth: at.Logins.Port(), World: at.World.Port(), Admin: at.Admin.Port()},
		Socket: readyfile.Absolute(r.socket), AdminToken: v.AdminToken, AdminTokenFile: readyfile.Absolute(v.AdminTokenFile),
		Clock: v.Clock, Ephemeral: v.Ephemeral,
	}
	if !v.Ephemeral {
		s.Data = readyfile.Absolute(v.Data)
	}
	return s
}

// reachableLogins is where this machine reaches the logins, "" if there are none.
func (o *Open) reachableLogins() string {
	if !o.Logins.IsValid() {
		return ""
	}
	return membership.Reachable(o.Logins).String()
}

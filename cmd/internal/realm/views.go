package realm

import (
	"context"

	"muster/cmd/internal/realmlist"
	"muster/loaders/store"
	"muster/net/login"
)

// own is the store as those see it that have to do with one realm: the first, for a server without a registry, whose database
// may have those of several.
func (r *Realm) own() store.Store {
	if r.config.member == nil {
		return realmlist.NewStore(r.store, 0)
	}
	return realmlist.NewStore(r.store, r.config.member.Realm())
}

// realmID is what clients must call the realm.
func (r *Realm) realmID() uint32 {
	if r.config.member == nil {
		return 1
	}
	return uint32(realmlist.ID(r.config.member.Realm()))
}

// lets reports whether accounts of a security level are let in.
func (r *Realm) lets(level uint8) bool {
	return r.realms == nil || r.realms.LetsIn(r.config.member.Realm(), level)
}

// list is what lists the realms for logins here, nil if there are no others.
func (r *Realm) list() func(ctx context.Context, account uint32, level uint8) ([]login.Realm, error) {
	if r.realms == nil {
		return nil
	}
	return r.realms.Realms
}

package main

import (
	"context"

	"muster/loaders/store"
	"muster/net/login"
)

// own is the store as those see it that have to do with one realm: the first, for a server without a registry, whose database
// may have those of several.
func (r *realm) own() store.Store {
	if r.config.member == nil {
		return newRealmStore(r.store, 0)
	}
	return newRealmStore(r.store, r.config.member.Realm())
}

// realmID is what clients must call the realm.
func (r *realm) realmID() uint32 {
	if r.config.member == nil {
		return 1
	}
	return uint32(idOf(r.config.member.Realm()))
}

// lets reports whether accounts of a security level are let in.
func (r *realm) lets(level uint8) bool {
	return r.realms == nil || r.realms.open(r.config.member.Realm(), level)
}

// list is what lists the realms for logins here, nil if there are no others.
func (r *realm) list() func(ctx context.Context, account uint32, level uint8) ([]login.Realm, error) {
	if r.realms == nil {
		return nil
	}
	return r.realms.list
}

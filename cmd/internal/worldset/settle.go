package worldset

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"muster/cmd/internal/playback"
	"muster/components/life"
	"muster/loaders/store"
	"muster/loaders/store/journal"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
)

// settle takes the players of a world out of it, as their connections ended with the server before. It has
// them saved, and those that had left before, as far as the store does not have them yet.
func (k *Logs) settle(p *playback.Playback, quantum time.Duration, left map[uint64][]byte) error {
	inside := make(map[uint64][]byte)
	if err := p.Leave(quantum, func() error { return p.NoteLeft(inside) }); err != nil {
		return err
	}
	var together []store.Snapshot
	for _, guid := range slices.Sorted(maps.Keys(inside)) {
		s, err := k.merged(inside[guid])
		switch {
		case err != nil:
			return err
		case s.stored > s.Version, s.stored == s.Version && !s.alike:
			return fmt.Errorf("%w: version %d of character %d, %d in the world", errBehind, s.stored, guid, s.Version)
		case s.stored > 0 && s.stored < s.Version:
			together = append(together, s.Snapshot)
		}
		delete(left, guid)
	}
	for _, guid := range slices.Sorted(maps.Keys(left)) {
		s, err := k.merged(left[guid])
		if err != nil {
			return err
		}
		if s.stored > 0 && s.stored < s.Version {
			together = append(together, s.Snapshot)
		}
	}
	return k.save(together)
}

// save returns when the disk has characters.
func (k *Logs) save(together []store.Snapshot) error {
	if len(together) == 0 {
		return nil
	}
	done := make(chan struct{})
	k.saver.Save(together, func() { close(done) })
	select {
	case <-done:
	case <-time.After(continueTime):
		return fmt.Errorf("%w after %v", errStore, continueTime)
	}
	if j, ok := k.saver.(*journal.Journal); ok && j.Stats().Degraded {
		return fmt.Errorf("%w: the journal cannot be written", errStore)
	}
	return nil
}

// A left player is one that has left its world, merged into what is stored of it.
type leftPlayer struct {
	store.Snapshot
	stored uint64 // the version that is stored, 0 if it was deleted
	alike  bool   // what is stored is the same
}

// merged merges a player that has left its world into what is stored of it.
func (k *Logs) merged(character []byte) (l leftPlayer, err error) {
	var c frame.Character
	if err := msg.Decode(wire.V12340, character, &c); err != nil {
		return l, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), continueTime)
	defer cancel()
	kept, err := k.store.Character(ctx, c.GUID)
	switch {
	case errors.Is(err, store.ErrNotFound):
		l.Version = c.Version
		return l, nil
	case err != nil:
		return l, fmt.Errorf("%w: %w", errStore, err)
	}
	now := store.FromFrame(&c)
	now.SavedUnix = time.Now().Unix()
	l = leftPlayer{Snapshot: store.Snapshot{Since: kept.Version, Lists: c.Told, Soon: true}, stored: kept.Version}
	l.alike = kept.XP == now.XP && kept.MoneyCopper == now.MoneyCopper && kept.Level == now.Level && sameItems(kept.Items, now.Items)
	kept.Merge(&now, c.Told)
	l.Character = kept
	return l, nil
}

// sameItems reports whether two lists have the same items, in any order.
func sameItems(a, b []life.Item) bool {
	order := func(x, y life.Item) int { return cmp.Compare(x.GUID, y.GUID) }
	return slices.Equal(slices.SortedFunc(slices.Values(a), order), slices.SortedFunc(slices.Values(b), order))
}

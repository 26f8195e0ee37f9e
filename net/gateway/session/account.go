package session

import (
	"bytes"
	"compress/zlib"
	"io"

	"muster/net/protocol/msg"
)

// The caches of settings that a client keeps here.
//
// Source: NUM_ACCOUNT_DATA_TYPES, WorldSession.h; WorldSession::HandleUpdateAccountData, AzerothCore.
const (
	caches       = 8
	maxCacheSize = 0xFFFF // bytes when inflated
)

func (s *Session) realmSplit(t *Turn, m *msg.RealmSplitQuery) {
	t.send(msg.OpRealmSplit, &msg.RealmSplit{Choice: m.Choice, Date: "01/01/01"})
}

func (s *Session) accountDataTimes(t *Turn, _ *msg.Empty) {
	s.ask(t, Request{Kind: ListCaches, Cache: caches})
}

// owner is the owner of a cache: 0 for the account, or the GUID of the character that is played or was last. It is
// not ok if there was none yet.
//
// Source: WorldSession::SetAccountData, AzerothCore.
func (s *Session) owner(cache uint32) (guid uint64, ok bool) {
	if msg.GlobalCaches>>cache&1 != 0 {
		return 0, true
	}
	return s.lately, s.lately != 0
}

func (s *Session) requestAccountData(t *Turn, m *msg.RequestAccountData) {
	if m.Cache >= caches {
		s.ignore(t, BadAccountData, nil)
		return
	}
	guid, ok := s.owner(m.Cache)
	if !ok {
		s.cachesListed(t, m.Cache, &Answer{})
		return
	}
	s.ask(t, Request{Kind: ListCaches, GUID: guid, Cache: m.Cache})
}

// cachesListed sends one cache, or the times of all of the account's. If the store failed, no times are sent, so that
// the client keeps its own caches; it would replace them by an empty one.
func (s *Session) cachesListed(t *Turn, cache uint32, a *Answer) {
	if a.Outcome != Done {
		s.ignore(t, CacheFailed, a.Outcome)
	}
	if cache == caches {
		m := msg.AccountDataTimes{Now: t.unix(), One: 1, Mask: msg.GlobalCaches}
		for _, d := range a.Caches {
			m.Times[d.Cache] = d.Time
		}
		t.send(msg.OpAccountDataTimes, &m)
		return
	}
	if a.Outcome != Done {
		return
	}
	m := msg.AccountData{GUID: s.character.GUID, Cache: cache}
	for _, d := range a.Caches {
		if d.Cache == cache {
			m.Time, m.Size, m.Stream = d.Time, d.Size, d.Stream
		}
	}
	t.send(msg.OpAccountData, &m)
}

func (s *Session) updateAccountData(t *Turn, m *msg.UpdateAccountData) {
	if m.Cache >= caches || m.Size > maxCacheSize || !inflates(m.Stream, m.Size) {
		s.ignore(t, BadAccountData, nil)
		return
	}
	guid, ok := s.owner(m.Cache)
	if !ok {
		s.cacheSaved(t, m.Cache, &Answer{})
		return
	}
	m.Stream = bytes.Clone(m.Stream) // the input's memory is reused for the next packet
	s.ask(t, Request{Kind: SaveCache, GUID: guid, Message: m})
}

// inflates reports whether a stream is whole and has so many bytes. It reads at most one more. The stream of an
// empty cache is not checked: it is not kept.
func inflates(stream []byte, size uint32) bool {
	if size == 0 {
		return true
	}
	z, err := zlib.NewReader(bytes.NewReader(stream))
	if err != nil {
		return false
	}
	n, err := io.Copy(io.Discard, io.LimitReader(z, int64(size)+1))
	return err == nil && n == int64(size)
}

// cacheSaved confirms a saved cache, and nothing else.
func (s *Session) cacheSaved(t *Turn, cache uint32, a *Answer) {
	switch a.Outcome {
	case Done:
		t.send(msg.OpAccountDataSaved, &msg.AccountDataSaved{Cache: cache})
	case TooMany:
		s.ignore(t, CacheRefused, a.Outcome)
	default:
		s.ignore(t, CacheFailed, a.Outcome)
	}
}

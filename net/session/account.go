package session

import "muster/net/msg"

// The caches of settings that a client would keep here: it may, and gets none of them back.
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
	t.send(msg.OpAccountDataTimes, &msg.AccountDataTimes{Now: t.unix(), One: 1, Mask: msg.GlobalCaches})
}

func (s *Session) requestAccountData(t *Turn, m *msg.RequestAccountData) {
	if m.Cache >= caches {
		s.count(BadAccountData)
		return
	}
	t.send(msg.OpAccountData, &msg.AccountData{GUID: s.character.GUID, Cache: m.Cache})
}

// updateAccountData does not inflate what it will not keep.
func (s *Session) updateAccountData(t *Turn, m *msg.UpdateAccountData) {
	if m.Cache >= caches || m.Size > maxCacheSize {
		s.count(BadAccountData)
		return
	}
	t.send(msg.OpAccountDataSaved, &msg.AccountDataSaved{Cache: m.Cache})
}

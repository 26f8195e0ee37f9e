package swarm

import "muster/net/protocol/msg"

// perRealm is how many characters of an account a realm has room for.
//
// Source: CharactersPerRealm, worldserver.conf.dist, AzerothCore.
const perRealm = 10

// chooseFresh makes a new character, whichever the account has, and enters the world with it. Where there is no room, the
// oldest that was made so is deleted first: it was left longest ago, and servers do not delete one that is still in the
// world. Characters that came about in another way are never deleted.
//
// Source: WorldSession::HandleCharDeleteOpcode, AzerothCore.
func (r *run) chooseFresh(c *client, have []msg.Character) {
	oldest := -1
	for i := range have {
		switch {
		case c.attempt > 0 && have[i].Name == c.name:
			r.enterAs(c, have[i].GUID)
			return
		case isFresh(c.account, have[i].Name) && (oldest < 0 || have[i].GUID < have[oldest].GUID):
			oldest = i
		}
	}
	switch {
	case len(have) < perRealm:
		r.create(c)
	case oldest < 0:
		r.leave(c, c.stage.String()+": no room, and no character that a swarm may delete")
	default:
		c.stage = stageDelete
		r.put(c, msg.OpCharDelete, &msg.CharDelete{GUID: have[oldest].GUID})
		r.flush(c)
	}
}

// deleted reads the answer to the deletion of a character.
func (r *run) deleted(c *client, payload []byte) {
	var m msg.CharResult
	if c.stage != stageDelete || !r.decode(c, payload, &m) {
		return
	}
	if m.Result != msg.CharDeleted {
		r.refused(c, m.Result)
		return
	}
	r.create(c)
}

package content

import (
	"slices"

	"muster/loaders/dbc"
)

// A factionRow is a row of factiontemplate_dbc: FactionTemplate.dbc of a client, in the columns of AzerothCore.
type factionRow struct {
	ID     int64 `column:"id" key:""`
	Friend int64 `column:"friendgroup" or:"0"`
	Enemy  int64 `column:"enemygroup" or:"0"`
}

// The groups that players are in.
//
// Source: FactionMasks, DBCEnums.h, AzerothCore.
const (
	groupPlayers  = 1
	groupAlliance = 2
	groupHorde    = 4
)

// A reaction is how creatures of a faction template take players, which are all of one side here.
type reaction uint8

const (
	attacks   reaction = iota // on sight
	tolerates                 // until it is attacked
	likes
)

// friends are the faction templates that clients without game data take for friendly.
//
// Source: protocol.md 3.1.3.
var friends = [...]int64{35, 11, 12, 13, 55, 57, 59, 60, 4, 5, 6, 161, 162}

// Faction templates of creatures that attack only those that attack them.
//
// Source: FactionTemplates, SharedDefines.h, AzerothCore.
const (
	factionCreature = 7
	factionPrey     = 31
)

// readFactions reads how factions take players. It comes before the templates.
func (l *loader) readFactions() error {
	l.reactions = make(map[int64]reaction)
	if err := read(l, "factiontemplate_dbc", func(r *factionRow) string {
		if r.ID <= 0 || r.ID > maxEntry {
			return "its number is 0, or has more than 24 bits"
		}
		l.reactions[r.ID] = r.reaction()
		return ""
	}); err != nil {
		return err
	}
	return l.readFile(dbc.FactionTemplate, func(row dbc.Row) {
		r := factionRow{row[0].Int, row[1].Int, row[2].Int}
		if _, known := l.reactions[r.ID]; !known && r.ID > 0 && r.ID <= maxEntry {
			l.reactions[r.ID] = r.reaction()
		}
	})
}

// reaction is what a faction template says: one that is an enemy of one side alone is a friend of the other.
//
// Source: FactionTemplateEntry::IsHostileTo, DBCStructure.h, AzerothCore, without single factions.
func (r *factionRow) reaction() reaction {
	const sides = groupAlliance | groupHorde
	switch {
	case r.Enemy&groupPlayers != 0, r.Enemy&sides == sides:
		return attacks
	case r.Friend&(groupPlayers|sides) != 0:
		return likes
	}
	return tolerates
}

// takes is how creatures of a template take players. Without a row of its faction, those that offer services are friends.
func (l *loader) takes(t *templateRow) reaction {
	r, known := l.reactionOf(t.Faction)
	if t.NPCFlags != 0 && !(known && r == attacks) {
		return likes
	}
	return r
}

// reactionOf is how creatures of a faction template take players, by its row if it is known, else by the tables here.
func (l *loader) reactionOf(faction int64) (r reaction, known bool) {
	r, known = l.reactions[faction]
	switch {
	case known:
		return r, true
	case slices.Contains(friends[:], faction):
		return likes, false
	case faction == factionCreature, faction == factionPrey:
		return tolerates, false
	}
	return attacks, false
}

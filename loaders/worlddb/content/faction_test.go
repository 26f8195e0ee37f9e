package content

import (
	"testing"

	"muster/components/defs"
)

// How creatures take players follows from the rows of their factions, and without them from the default table.
func TestFactions(t *testing.T) {
	const creatures = `
INSERT INTO creature_template (entry, name, minlevel, maxlevel, faction, npcflag, unit_class, type) VALUES
(800, 'Bandit', 5, 5, 17, 0, 1, 7), (801, 'Peasant', 5, 5, 84, 0, 1, 7), (802, 'Grazer', 5, 5, 189, 0, 1, 1), (803, 'Both', 5, 5, 90, 128, 1, 7), (804, 'Trader', 5, 5, 189, 128, 1, 7), (805, 'Odd', 5, 5, 12, 0, 1, 7);
INSERT INTO creature_template_model VALUES (800,0,1003,1,1),(801,0,1003,1,1),(802,0,1003,1,1),(803,0,1003,1,1),(804,0,1003,1,1),(805,0,1003,1,1);
INSERT INTO creature (guid, id1, map, position_x) VALUES (1,800,0,1);
`
	const factions = `
CREATE TABLE factiontemplate_dbc (ID int, Faction int, Flags int, FactionGroup int, FriendGroup int, EnemyGroup int, PRIMARY KEY (ID));
INSERT INTO factiontemplate_dbc VALUES (17,1,0,8,0,1), (84,1,0,2,2,4), (189,1,0,0,0,0), (90,1,0,8,0,6), (0,1,0,0,0,0);
`
	type taken struct {
		faction    uint32
		reactState defs.ReactState
	}
	hostile, peaceful, friend := taken{defs.FactionHostile, defs.Aggressive}, taken{defs.FactionHostile, defs.Neutral}, taken{defs.FactionFriendly, defs.Neutral}
	for sql, want := range map[string][6]taken{
		creatures:            {hostile, hostile, hostile, friend, friend, friend},
		creatures + factions: {hostile, friend, peaceful, hostile, friend, friend},
	} {
		w := load(t, imported(t, "testdata/azerothcore.sql", dump(t, sql)))
		for i, want := range want {
			c := w.Creature(800 + uint32(i))
			if got := (taken{c.Faction, c.ReactState}); got != want {
				t.Errorf("%s: %+v, want %+v", c.Name, got, want)
			}
		}
		if u := w.Use["factiontemplate_dbc"]; u != nil && u.Executed != 4 {
			t.Error(use(w))
		}
	}
}

// Package scenario runs whole worlds from readable text. A .sim file says what happens, and below each
// event, indented, which client got which packet on which tick:
//
//	# Others see a player walk; the player itself is sent nothing that it knows already.
//
//	tick 1: Anna enters at 0,0
//	tick 1: Bert enters at 20,0
//	    tick 1: Anna sees SMSG_UPDATE_OBJECT create self 0,0
//	    …
//	tick 5: Anna sends MSG_MOVE_HEARTBEAT 3,1
//	    tick 5: Bert sees MSG_MOVE_HEARTBEAT Anna 3,1 at 250ms
//	tick 6: end
//
// What is not indented is the author's. What is indented is what the world makes of it; -update writes it
// again. All packets of a client go to a conformance checker too, which must count no violation.
//
// Creatures are in place before the first tick, and each is of a kind of its own:
//
//	Rock stands at 10,0
//	Wolf wanders 15 yards around 40,0
//	Guard patrols 0,20 then 30,20 for 5s then 30,50
//
// and then it has traits, which are listed in trait_test.go; those after "later" are of the definitions that "scripts are reloaded" and "texts
// are reloaded" bring:
//
//	Guard hits for 4
//	Wolf is aggressive
//	Wolf flees below 50
//	Wolf casts Breath every 3s
//
// A script of SmartAI has the numbers of smart_scripts, and names of spells and creatures (smartai_test.go); texts have groups:
//
//	Wolf does 0 link 1 when 4 do 1 0 to 1           event 4 has action 1 with group 0 happen to target 1, then row 1
//	Wolf does 0 of 900 when 0 500 500 do 5 16 to 1  a row of the timed action list 900
//	Wolf says 0 yell "Grr!" chance 50 for 2s
//	Guard does 0 node 2 when 0 500 do 5 16 to 1     half a second after it has reached the second node of its path
//	Golem is immune to school 16, mechanic 12, dispel 1, effect 98, aura 26
//	area 78 at 5,0 within 3
//	area 78 does 0 when 46 78 do 5 16 to 7          a row of the script of an area
//
// So are game objects, of a type and with data by index, as gameobject_template has them:
//
//	object Gate of 0 at 4,0 facing 1.5 with 2=2000
//	object Box of 3 at 0,3 with 3=1 has Tooth 3 and 7 copper returns after 3s
//
// Players are the names that enter. They do this:
//
//	tick 1: Anna enters at 0,0              the gateway brings her in; "as game master", without movement validation
//	tick 2: Anna sends MSG_MOVE_STOP 3,1    and "as Bert", "at 90s" by her clock, "facing 3.1", "with 0x1" for flags
//	tick 3: Anna sends CMSG_MESSAGECHAT "Hello!"      and yell, emote, guild, afk or dnd before what is said
//	tick 3: Anna sends CMSG_TEXT_EMOTE of 34 at Bert   a wave without "of"; and CMSG_EMOTE 3
//	tick 4: Anna sends CMSG_SET_SELECTION Bert
//	tick 5: Anna sends CMSG_TIME_SYNC_RESP 0 at 90s
//	tick 5: Anna sends CMSG_ATTACKSWING Wolf           and CMSG_SET_SHEATHED 1, CMSG_STANDSTATECHANGE 1
//	tick 5: Anna sends CMSG_CAST_SPELL Bolt at Wolf    or "Hail to 3,4"; CMSG_CANCEL_CAST Bolt and its like
//	tick 5: Anna sends CMSG_GAMEOBJ_USE Gate           and CMSG_AREATRIGGER 78
//	tick 6: Anna sends CMSG_LOGOUT_REQUEST  or any other message without a body
//	tick 6: Anna sends MSG_MOVE_STOP 3,1 plus 2    bytes that do not belong there, or "minus 2"
//	tick 7: Anna leaves                     the gateway removes her
//	tick 7: Anna disconnects                her connection is lost
//	tick 8: Anna is flushed every 2 ticks   instead of each
//
// Players and creatures are changed, as other systems ask for it:
//
//	tick 8: Anna is teleported to 100,0 facing 1.5    and "on 1" for map 1, which is empty
//	tick 8: Anna is given run speed 14                or walk, swim, flight, turn
//	tick 8: Anna is rooted                            or unrooted, able to fly, unable to fly
//	tick 8: Anna is knocked back towards 1.57 at 10 up 5
//	tick 9: Anna sends MSG_MOVE_TELEPORT_ACK 1        the answers, with their counters
//	tick 9: Anna sends CMSG_FORCE_RUN_SPEED_CHANGE_ACK 2 speed 14
//
// Bodies, items and deaths:
//
//	Wolf has Tooth 3, Club and 7 copper     its loot; the items are in loot_test.go
//	Angel heals                             it is a spirit healer
//	Peddler sells Tooth, Club 3 every 10s   a vendor; of Tooth it has any number, of Club 3
//	Bard says 7 text 70 with Wares to vendor, Tales to 8, Mill to point 3, Bye to close    a menu; the first is its own
//	Sage teaches Teach for 40, Secret for 50 at 9    a trainer; Secret is for those of level 9
//	tick 2: Anna is paid 100
//	corpses are reclaimed where they are    instead of anywhere
//	tick 1: the world is given 5            GUIDs for new items
//	tick 4: Wolf is hurt by Anna for 40     and without "by" it has no attacker
//	tick 5: Anna sends CMSG_GOSSIP_HELLO Bard           and CMSG_GOSSIP_SELECT_OPTION Bard 7 0: menu and option
//	tick 5: Anna sends CMSG_TRAINER_BUY_SPELL Sage Teach    and CMSG_TRAINER_LIST Sage
//	tick 5: Anna sends CMSG_SWAP_ITEM 255 25 to 19 1    bag and slot, from and to
//
// The line "show all" in front shows the packets of every login too, and the questions for the time.
package scenario

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"muster/internal/golden"
)

func TestScenarios(t *testing.T) {
	files, err := filepath.Glob("testdata/*.sim")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".sim"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s, err := parse(string(text))
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			p := newPlay(s)
			if err := p.run(); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			for _, eye := range p.eyes {
				if v := eye.Violations(); v.Total() > 0 {
					t.Errorf("a client complains: %q", eye.Texts())
				}
			}
			golden.Compare(t, file, []byte(s.with(p.seen)))
		})
	}
}

func TestWhatIsNoScenario(t *testing.T) {
	for text, want := range map[string]string{
		"tick 2: Anna enters at 0,0\n":                                                                  "no end",
		"tick 1: end\ntick 2: Anna leaves\n":                                                            "line 2: after the end",
		"tick 3: Anna leaves\ntick 2: end\n":                                                            "line 2: back in time",
		"tick x: end\n":                                                                                 `line 1: no tick: "tick x"`,
		"Rock hops\n":                                                                                   "line 1: cannot read: Rock hops",
		"tick 1: Anna leaves\ntick 1: end\n":                                                            "tick 1: Anna leaves: Anna is not there",
		"tick 1: Anna enters at 0\ntick 1: end\n":                                                       "tick 1: Anna enters at 0: no point: 0",
		"tick 1: Anna enters at 0,0\ntick 1: Anna sends MSG_X\n":                                        "no end",
		"tick 1: Anna enters at 0,0\ntick 1: Anna sends MSG_X\ntick 1: end\n":                           "tick 1: Anna sends MSG_X: no such message",
		"tick 1: Anna enters at 0,0\ntick 1: Anna sends MSG_MOVE_STOP\ntick 1: end\n":                   "tick 1: Anna sends MSG_MOVE_STOP: it needs a point",
		"tick 1: Anna enters at 0,0\ntick 1: Anna sends CMSG_SET_SELECTION Rex\ntick 1: end\n":          "tick 1: Anna sends CMSG_SET_SELECTION Rex: no unit Rex",
		"Rock stands at 1,1\nRock stands at 2,2\ntick 1: Anna leaves\ntick 1: Bert leaves\ntick 1: end": "line 2: a second Rock",
	} {
		got := "nothing"
		if s, err := parse(text); err != nil {
			got = err.Error()
		} else if err := newPlay(s).run(); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q\n     %s\nwant %s", text, got, want)
		}
	}
}

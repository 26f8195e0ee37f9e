package content

import (
	"strings"
	"testing"
)

// A text of broadcast_text is executed once, whichever menus and creatures say it, and only if a row that is executed says it.
func TestSpokenTextsCountOnce(t *testing.T) {
	w := load(t, imported(t, "testdata/azerothcore.sql", "testdata/vendors.sql", "testdata/smartai.sql", dump(t, scriptedRows+`
CREATE TABLE npc_text (ID int unsigned NOT NULL, text0_0 text, text0_1 text, BroadcastTextID0 int, Probability0 float, PRIMARY KEY (ID));
CREATE TABLE gossip_menu_option (MenuID int, OptionID int, OptionText text, OptionBroadcastTextID int, OptionType int, OptionNpcFlag int, BoxMoney int, PRIMARY KEY (MenuID, OptionID));
INSERT INTO broadcast_text VALUES (8,'Of a menu',''), (9,'Of all',''), (10,'Of a paid option',''), (11,'Of nobody',''), (12,'Of a refused line','');
INSERT INTO npc_text VALUES (1,'','',9,1);
INSERT INTO gossip_menu_option VALUES (1,0,'',8,1,1,0), (1,1,'',10,1,1,5), (1,2,'',9,1,1,0);
INSERT INTO creature_text (CreatureID, GroupID, ID, Text, Type, BroadcastTextId) VALUES (300,7,0,'Hidden',12,9), (999,7,0,'Refused',12,12);
`)))
	if got, want := use(w), "broadcast_text 3\n  not 4: no menu and no creature that is executed says it\n"; !strings.Contains(got, want) {
		t.Errorf("%s\nlacks\n%s", got, want)
	}
	if texts := w.Texts.Of(300, 7); texts == nil || texts.Lines[0].Text != "Of all" {
		t.Errorf("%+v", texts)
	}
}

package worlddb

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"muster/internal/testseed"
)

// Property: references and kinds of scripts that are counted in the pages of a file are those that the database counts. Half of the keys are there.
func TestDanglingOfPages(t *testing.T) {
	seed := testseed.Of(t)
	const tables = `CREATE TABLE creature_template (entry int NOT NULL, lootid int NOT NULL, gossip_menu_id int, PRIMARY KEY (entry));
CREATE TABLE creature (guid int NOT NULL, id1 int NOT NULL, id2 int NOT NULL DEFAULT 0, PRIMARY KEY (guid));
CREATE TABLE gossip_menu (menuid int NOT NULL, textid int NOT NULL, PRIMARY KEY (menuid, textid));
CREATE TABLE creature_loot_template (item int NOT NULL, entry int NOT NULL, reference int NOT NULL, PRIMARY KEY (entry, item));
CREATE TABLE reference_loot_template (entry int NOT NULL, item int NOT NULL, mincountorref int NOT NULL, PRIMARY KEY (entry, item));
CREATE TABLE item_template (entry int NOT NULL, PRIMARY KEY (entry));
CREATE TABLE waypoint_data (id int NOT NULL, point int NOT NULL, action int NOT NULL, PRIMARY KEY (id, point));
CREATE TABLE waypoint_scripts (guid int NOT NULL, id int NOT NULL, PRIMARY KEY (guid));
CREATE TABLE smart_scripts (entryorguid int NOT NULL, source_type int NOT NULL, id int NOT NULL, event_type int NOT NULL, action_type int NOT NULL, action_param1 int NOT NULL, PRIMARY KEY (entryorguid, source_type, id));
`
	kinds := 0
	for i := range uint64(20) {
		dice := rand.New(rand.NewPCG(seed, i))
		var dump strings.Builder
		dump.WriteString(tables)
		for table, columns := range map[string]string{
			"creature_template": "kkk", "creature": "kkk", "gossip_menu": "kk", "creature_loot_template": "kks", "reference_loot_template": "kks", "item_template": "k", "waypoint_data": "kkk",
			"waypoint_scripts": "kk", "smart_scripts": "s2kkxk",
		} {
			for range dice.IntN(12) {
				var row []string
				for _, c := range columns {
					switch c {
					case 'k':
						row = append(row, fmt.Sprint(dice.IntN(8)))
					case 's':
						row = append(row, fmt.Sprint(dice.IntN(15)-7))
					case '2':
						row = append(row, fmt.Sprint([]int{0, 1, 9}[dice.IntN(3)]))
					case 'x':
						row = append(row, fmt.Sprint(79+dice.IntN(2)))
					}
				}
				fmt.Fprintf(&dump, "INSERT IGNORE INTO %s VALUES (%s);\n", table, strings.Join(row, ","))
			}
		}
		c := Config{Dir: t.TempDir(), Stdin: strings.NewReader(dump.String())}
		mustImport(t, c, stdin)
		s, err := openFile(t.Context(), filepath.Join(c.Dir, File))
		if err != nil {
			t.Fatal(err)
		}
		if s.file == nil {
			t.Fatal("the file cannot be read by its pages")
		}
		defer s.Close()
		got, err := s.report(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		pages := *s
		pages.file = nil
		want, err := pages.report(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("case %d: got %+v, %+v\nwant %+v, %+v of\n%s", i, got.Dangling, got.Scripts, want.Dangling, want.Scripts, &dump)
		}
		kinds = max(kinds, len(want.Dangling))
	}
	if kinds < 5 {
		t.Errorf("at most %d kinds of references lead nowhere", kinds)
	}
}

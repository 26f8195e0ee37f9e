// Package invented writes dumps of worlds that never were, of the size and the shape that real ones have: mysqldump's text, AzerothCore's
// tables, rows by key. They measure imports and servers.
package invented

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"

	"muster/loaders/worlddb/sqldump"
)

// Config says how large a dump is. Zero has no rows.
type Config struct {
	Seed        uint64
	Creatures   int // spawn points, on the maps of Maps in turn; templates are a fifth, at least one
	GameObjects int // likewise
	Scripts     int // rows of smart_scripts, three for each template that has any
	Nodes       int // rows of waypoint_data, eight for each path
	Items       int
	Quests      int
	Loot        int // rows of creature_loot_template
	Locales     int // rows of a table that is not kept
}

// World is about as large as AzerothCore's in the middle of 2026, by the rows of its larger tables.
func World() Config {
	return Config{
		Seed: 1, Creatures: 150_000, GameObjects: 80_000, Scripts: 60_000, Nodes: 160_000, Items: 39_000, Quests: 9_500, Loot: 90_000, Locales: 60_000,
	}
}

// Times is a dump with n times as many rows.
func (c Config) Times(n int) Config {
	for _, rows := range []*int{&c.Creatures, &c.GameObjects, &c.Scripts, &c.Nodes, &c.Items, &c.Quests, &c.Loot, &c.Locales} {
		*rows *= n
	}
	return c
}

// Maps are the maps of spawn points.
var Maps = []int{0, 1, 530, 571}

// statementSize is how long a statement of mysqldump is, at most: the server's net_buffer_length of 1 MB.
const statementSize = 1 << 20

// A writer writes tables. Its error is that of its buffer.
type writer struct {
	out  *bufio.Writer
	dice *rand.Rand
	row  []byte
	size int // of the statement that is open
}

// Write writes a dump. The error is that of to.
func Write(to io.Writer, c Config) error {
	w := &writer{out: bufio.NewWriterSize(to, 1<<20), dice: rand.New(rand.NewPCG(c.Seed, 0))}
	w.out.WriteString("-- Invented rows, in the shape of a dump\n/*!40101 SET NAMES utf8mb4 */;\n/*!40014 SET UNIQUE_CHECKS=0, FOREIGN_KEY_CHECKS=0 */;\n")
	for _, t := range tables {
		w.table(&t, c)
	}
	w.out.WriteString("-- Dump completed\n")
	return w.out.Flush()
}

// A table is one of the dump: its columns with their types, its key, how many rows it has, and what writes the row n from 0 on.
type table struct {
	name    string
	columns string
	key     string
	rows    func(Config) int
	row     func(w *writer, n int, c Config)
}

func (w *writer) table(t *table, c Config) {
	fmt.Fprintf(w.out, "DROP TABLE IF EXISTS `%s`;\n/*!50503 SET character_set_client = utf8mb4 */;\nCREATE TABLE `%s` (\n", t.name, t.name)
	for column := range strings.SplitSeq(t.columns, ",") {
		name, kind, _ := strings.Cut(strings.TrimSpace(column), " ")
		fmt.Fprintf(w.out, "  `%s` %s,\n", name, kind)
	}
	fmt.Fprintf(w.out, "  PRIMARY KEY (%s)\n) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;\nLOCK TABLES `%s` WRITE;\n/*!40000 ALTER TABLE `%s` DISABLE KEYS */;\n", t.key, t.name, t.name)
	w.size = 0
	for n := range t.rows(c) {
		w.row = w.row[:0]
		t.row(w, n, c)
		switch {
		case w.size == 0:
			fmt.Fprintf(w.out, "INSERT INTO `%s` VALUES\n", t.name)
		case w.size+len(w.row) > statementSize:
			fmt.Fprintf(w.out, ";\nINSERT INTO `%s` VALUES\n", t.name)
			w.size = 0
		default:
			w.out.WriteString(",\n")
		}
		w.row[0] = '('
		w.out.Write(w.row)
		w.out.WriteByte(')')
		w.size += len(w.row)
	}
	if w.size > 0 {
		w.out.WriteString(";\n")
	}
	fmt.Fprintf(w.out, "/*!40000 ALTER TABLE `%s` ENABLE KEYS */;\nUNLOCK TABLES;\n", t.name)
}

// ints adds integers to the row.
func (w *writer) ints(all ...int) {
	for _, v := range all {
		w.row = strconv.AppendInt(append(w.row, ','), int64(v), 10)
	}
}

// zeros adds so many zeros.
func (w *writer) zeros(n int) {
	for range n {
		w.row = append(w.row, ",0"...)
	}
}

// reals adds numbers with so many digits behind the point.
func (w *writer) reals(digits int, all ...float64) {
	for _, v := range all {
		w.row = strconv.AppendFloat(append(w.row, ','), v, 'f', digits, 64)
	}
}

// text adds a text.
func (w *writer) text(v string) { w.row = sqldump.AppendText(append(w.row, ','), v) }

func (w *writer) null() { w.row = append(w.row, ",NULL"...) }

// place adds a place within so many yards of the middle of a map: a creature has some 200 by 200 yards for itself.
func (w *writer) place() {
	const reach = 8_000
	w.reals(4, reach*(2*w.dice.Float64()-1), reach*(2*w.dice.Float64()-1), 100*w.dice.Float64())
}

var words = strings.Fields("grey old river stone keeper's hunter of the northern marsh young raven \"Red\" wolf tender lost miner and café smith watch's captain")

// words adds a text of words.
func (w *writer) words(n int) {
	var text []byte
	for i := range n {
		if i > 0 {
			text = append(text, ' ')
		}
		text = append(text, words[w.dice.IntN(len(words))]...)
	}
	w.text(string(text))
}

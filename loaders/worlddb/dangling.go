package worlddb

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"math"
	"slices"
	"strings"
)

// maxKeys is how many values of columns that are referred to may be in memory at once, so that a report of any world takes the same: 32 MB of them. What is
// more the database looks up.
const maxKeys = 4 << 20

// findDangling looks each reference up: those of a table in one scan of it where its pages can be read, otherwise by queries.
func (s *store) findDangling(ctx context.Context, r *Report, shape schema, all map[string]*table) error {
	there := lookup{store: s, all: all, left: maxKeys, keys: make(map[*reference][]int64), rows: make(map[string]int64)}
	for i := range r.Tables {
		there.rows[r.Tables[i].Table] = r.Tables[i].Used
	}
	byTable := make(map[string][]*reference)
	var order []string
	for i := range references {
		ref := &references[i]
		if !shape.has(ref.from, ref.column) || !shape.has(ref.from, ref.needs) || !shape.has(ref.to, ref.key) {
			continue
		}
		if byTable[ref.from] == nil {
			order = append(order, ref.from)
		}
		byTable[ref.from] = append(byTable[ref.from], ref)
	}
	slices.Sort(order)
	for _, from := range order {
		found, err := there.check(ctx, all[from], byTable[from])
		if err != nil {
			return fmt.Errorf("%s: %w", from, err)
		}
		r.Dangling = append(r.Dangling, found...)
	}
	slices.SortStableFunc(r.Dangling, func(a, b DanglingReport) int { return cmp.Compare(a.From, b.From) })
	return nil
}

// A lookup has the keys that are there.
type lookup struct {
	*store
	all  map[string]*table
	rows map[string]int64       // by table
	keys map[*reference][]int64 // ascending, of the first reference to them
	left int64                  // of maxKeys
}

// check looks the references of one table up.
func (l *lookup) check(ctx context.Context, from *table, refs []*reference) (found []DanglingReport, err error) {
	found = make([]DanglingReport, len(refs))
	var columns []string
	place := func(column string) int {
		if !slices.Contains(columns, column) {
			columns = append(columns, column)
		}
		return slices.Index(columns, column)
	}
	_, direct := l.root(ctx, from, nil)
	var scanned []*check
	for i, ref := range refs {
		found[i] = DanglingReport{From: ref.from + "." + ref.column, To: ref.to + "." + ref.key}
		var keys []int64
		ok := direct && from.whole(ref.column)
		for _, c := range ref.conditions() {
			ok = ok && from.whole(c.column)
		}
		if ok {
			if keys, ok, err = l.values(ctx, ref); err != nil {
				return nil, err
			}
		}
		if !ok {
			if err := l.ask(ctx, ref, &found[i]); err != nil {
				return nil, err
			}
			continue
		}
		c := &check{of: &found[i], keys: keys, magnitude: ref.magnitude, column: place(ref.column), where: ref.conditions()}
		for _, condition := range c.where {
			c.places = append(c.places, place(condition.column))
		}
		c.of.Example = math.MaxInt64
		scanned = append(scanned, c)
	}
	if len(scanned) > 0 {
		if _, err := l.integers(ctx, from, columns, func(row []int64) {
			for _, c := range scanned {
				c.row(row)
			}
		}); err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(found, func(d DanglingReport) bool { return d.Rows == 0 }), nil
}

// A check is a reference while the rows that refer are read.
type check struct {
	of        *DanglingReport
	keys      []int64
	magnitude bool
	column    int // place in a row
	where     []condition
	places    []int // in a row, of the columns of where
}

// row counts a row whose reference leads nowhere.
func (c *check) row(row []int64) {
	for i, w := range c.where {
		if !w.holds(row[c.places[i]]) {
			return
		}
	}
	v := row[c.column]
	if c.magnitude && v < 0 {
		v = -v
	}
	if _, ok := slices.BinarySearch(c.keys, v); !ok {
		c.of.Rows++
		c.of.Example = min(c.of.Example, v)
	}
}

// values are the keys that a reference may lead to. ok is false if the database has to look them up.
func (l *lookup) values(ctx context.Context, ref *reference) (keys []int64, ok bool, err error) {
	for known, keys := range l.keys {
		if known.to == ref.to && known.key == ref.key && slices.Equal(known.among, ref.among) {
			return keys, true, nil
		}
	}
	n, to := l.rows[ref.to], l.all[ref.to]
	if n > l.left {
		return nil, false, nil
	}
	columns := []string{ref.key}
	for _, c := range ref.among {
		columns = append(columns, c.column)
	}
	ok, err = l.integers(ctx, to, columns, func(row []int64) {
		for i, c := range ref.among {
			if !c.holds(row[i+1]) {
				return
			}
		}
		if len(keys) == 0 || keys[len(keys)-1] != row[0] {
			keys = append(keys, row[0])
		}
	})
	if !ok || err != nil {
		return nil, false, err
	}
	if !slices.IsSorted(keys) {
		slices.Sort(keys)
	}
	l.keys[ref] = keys
	l.left -= int64(len(keys))
	return keys, true, nil
}

// conditions are those of the rows that refer.
func (ref *reference) conditions() []condition {
	if ref.where != nil {
		return ref.where
	}
	return []condition{{ref.column, "<>", 0}}
}

func (c condition) holds(v int64) bool {
	switch c.is {
	case "<>":
		return v != c.than
	case "<":
		return v < c.than
	case ">":
		return v > c.than
	}
	return v == c.than
}

// allOf is conditions in SQL, of the rows of a table by its name in the query.
func allOf(conditions []condition, table string) string {
	if len(conditions) == 0 {
		return "1 = 1"
	}
	each := make([]string, len(conditions))
	for i, c := range conditions {
		each[i] = fmt.Sprintf("%s.%s %s %d", table, quote(c.column), c.is, c.than)
	}
	return strings.Join(each, " AND ")
}

// ask has the database look a reference up.
func (l *lookup) ask(ctx context.Context, ref *reference, d *DanglingReport) error {
	var example sql.NullInt64
	err := l.QueryRowContext(ctx, ref.query(l.all[ref.to])).Scan(&d.Rows, &example)
	d.Example = example.Int64
	return err
}

// query counts the rows whose reference leads nowhere. Where the column that is referred to is the first of the key, or all of it, each is
// looked up there; otherwise among the distinct values, of which the database makes an index.
func (ref *reference) query(to *table) string {
	value, where, among := "f."+quote(ref.column), allOf(ref.conditions(), "f"), allOf(ref.among, "t")
	if ref.magnitude {
		value = "ABS(" + value + ")"
	}
	if to != nil && len(to.key) > 0 && to.key[0] == ref.key {
		return fmt.Sprintf("SELECT COUNT(*), MIN(%s) FROM %s f WHERE %s AND NOT EXISTS (SELECT 1 FROM %s t WHERE t.%s = %[1]s AND %[6]s)",
			value, quote(ref.from), where, quote(ref.to), quote(ref.key), among)
	}
	return fmt.Sprintf("SELECT COUNT(*), MIN(%s) FROM %s f LEFT JOIN (SELECT DISTINCT t.%s AS k FROM %s t WHERE %s) k ON k.k = %[1]s WHERE %[6]s AND k.k IS NULL",
		value, quote(ref.from), quote(ref.key), quote(ref.to), among, where)
}

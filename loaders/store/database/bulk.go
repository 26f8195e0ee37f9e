package database

import (
	"fmt"
	"strings"
)

// A Bulk is a statement for many rows. Databases with arrays execute it once, at a small part of the cost of as many
// statements; others once per row. The effect is the same.
type Bulk struct {
	One  string // with the values of a row as $1, $2 …
	Many string // with an array of each as $1, $2 …: of bigint, real, boolean, bytea or text, whatever the column is

	Table   string   // of an insert
	Columns []string // in the order of the values, and in lower case: as they are without quotes
}

// column is a value of a Bulk, and the type of its array.
type column struct{ name, array string }

// columns parses a text like "guid bigint, x real". Without a type a column is bigint.
func columns(text string) []column {
	var list []column
	for field := range strings.SplitSeq(text, ",") {
		words := append(strings.Fields(field), "bigint")
		list = append(list, column{words[0], words[1]})
	}
	return list
}

// rows returns a table of the arrays of some columns, called n.
func rows(list []column) string {
	var arrays, names []string
	for i, c := range list {
		arrays = append(arrays, fmt.Sprintf("$%d::%s[]", i+1, c.array))
		names = append(names, c.name)
	}
	return fmt.Sprintf("unnest(%s) AS n (%s)", strings.Join(arrays, ", "), strings.Join(names, ", "))
}

// insert inserts rows into a table. Conflict ends the statement.
func insert(table, text, conflict string) Bulk {
	list := columns(text)
	var names, marks []string
	for i, c := range list {
		names = append(names, c.name)
		marks = append(marks, fmt.Sprint("$", i+1))
	}
	into := fmt.Sprintf("INSERT INTO %s (%s) ", table, strings.Join(names, ", "))
	return Bulk{
		One:  into + "VALUES (" + strings.Join(marks, ", ") + ") " + conflict,
		Many: into + "SELECT * FROM " + rows(list) + " " + conflict,

		Table: table, Columns: strings.Fields(strings.ToLower(strings.Join(names, " "))),
	}
}

// update updates the rows of a table whose first columns, as many as keys, have values.
func update(table string, keys int, text string) Bulk {
	list := columns(text)
	var one, many []string
	for i, c := range list[keys:] {
		one = append(one, fmt.Sprintf("%s = $%d", c.name, keys+i+1))
		many = append(many, fmt.Sprintf("%s = n.%[1]s", c.name))
	}
	whereOne, whereMany := matching(list[:keys])
	return Bulk{
		One: fmt.Sprintf("UPDATE %s SET %s WHERE %s", table, strings.Join(one, ", "), whereOne),
		Many: fmt.Sprintf("UPDATE %s AS o SET %s FROM %s WHERE %s",
			table, strings.Join(many, ", "), rows(list), whereMany),
	}
}

// remove deletes the rows of a table whose columns have values.
func remove(table, text string) Bulk {
	list := columns(text)
	one, many := matching(list)
	return Bulk{
		One:  fmt.Sprintf("DELETE FROM %s WHERE %s", table, one),
		Many: fmt.Sprintf("DELETE FROM %s AS o USING %s WHERE %s", table, rows(list), many),
	}
}

// matching returns the conditions that the first columns of a table o have the values of a row, or those of n.
func matching(keys []column) (one, many string) {
	var ones, manys []string
	for i, c := range keys {
		ones = append(ones, fmt.Sprintf("%s = $%d", c.name, i+1))
		manys = append(manys, fmt.Sprintf("o.%s = n.%[1]s", c.name))
	}
	manys = append(manys, fmt.Sprintf("o.%s = ANY ($1::%s[])", keys[0].name, keys[0].array))
	return strings.Join(ones, " AND "), strings.Join(manys, " AND ")
}

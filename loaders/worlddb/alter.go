package worlddb

import (
	"fmt"
	"slices"
	"strings"

	"muster/loaders/worlddb/sqldump"
)

// alter makes a table anew as an ALTER TABLE wants it, with its rows. It is applied whole or not at all.
func (im *importer) alter(s *sqldump.Statement) error {
	t := im.tables[s.Table]
	name, d, sources, err := altered(t, s.Alter)
	if err != nil {
		return err
	}
	if _, there := im.shape[name]; there && name != s.Table {
		return fmt.Errorf("the table %s is there already", name)
	}
	next, err := newTable(name, d)
	if err != nil {
		return err
	}
	if err := im.forget(); err != nil {
		return err
	}
	if err := im.remake(t, next, sources); err != nil {
		return err
	}
	delete(im.tables, s.Table)
	delete(im.shape, s.Table)
	im.shape[name] = columnNames(d)
	if !tables[name] { // renamed to what is not kept, such as a copy
		_, err := im.exec("DROP TABLE " + quote(name))
		return err
	}
	im.tables[name] = next
	im.of(name) // it has a row in the report, and is known to later imports
	return nil
}

// remade is the name of a table while it is made.
const remade = "muster_remade"

func (im *importer) remake(t, next *table, sources []string) (err error) {
	if _, err := im.exec("SAVEPOINT remake"); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			im.exec("ROLLBACK TO remake")
		}
		im.exec("RELEASE remake")
	}()
	for _, statement := range []string{
		next.create(remade),
		fmt.Sprintf("INSERT INTO %s SELECT %s FROM %s", quote(remade), strings.Join(sources, ", "), quote(t.name)),
		"DROP TABLE " + quote(t.name),
		fmt.Sprintf("ALTER TABLE %s RENAME TO %s", quote(remade), quote(next.name)),
	} {
		if _, err := im.exec(statement); err != nil {
			return err
		}
	}
	return nil
}

// altered is the name and the declaration that changes lead to, and for each of its columns where the values come from, in
// SQL.
func altered(t *table, changes []sqldump.Change) (name string, d *sqldump.Definition, sources []string, err error) {
	name = t.name
	d = &sqldump.Definition{
		Columns: slices.Clone(t.declared.Columns), Key: slices.Clone(t.declared.Key), Unique: slices.Clone(t.declared.Unique),
	}
	for _, c := range d.Columns {
		sources = append(sources, quote(c.Name))
	}
	for _, c := range changes {
		at := slices.IndexFunc(d.Columns, func(have sqldump.Column) bool { return have.Name == c.Name })
		switch c.Kind {
		case sqldump.RenameTable:
			name = c.Name
			continue
		case sqldump.AddKey:
			d.Key = c.Key
			continue
		case sqldump.DropKey:
			d.Key = nil
			continue
		case sqldump.AddColumn:
			if there := slices.ContainsFunc(d.Columns, func(have sqldump.Column) bool { return have.Name == c.Column.Name }); there {
				if c.Ignore {
					continue
				}
				return "", nil, nil, fmt.Errorf("column %s is there already", c.Column.Name)
			}
			k, err := newColumn(c.Column)
			if err != nil {
				return "", nil, nil, err
			}
			d.Columns, sources = append(d.Columns, c.Column), append(sources, literal(boxed(k.missing)))
			at = len(d.Columns) - 1
		default:
			if at < 0 && c.Ignore {
				continue
			}
			if at < 0 {
				return "", nil, nil, fmt.Errorf("no column %s", c.Name)
			}
		}
		switch c.Kind {
		case sqldump.DropColumn:
			d.Columns, sources = slices.Delete(d.Columns, at, at+1), slices.Delete(sources, at, at+1)
			d.Key, d.Unique = without(d.Key, c.Name), without(d.Unique, c.Name)
			continue
		case sqldump.RenameColumn:
			rename(d, at, c.To)
		case sqldump.ChangeColumn:
			rename(d, at, c.Column.Name)
			before := classOf(d.Columns[at].Type)
			d.Columns[at] = c.Column
			sources[at] = recast(sources[at], before, classOf(c.Column.Type), c.Column)
		}
		if len(c.Key) > 0 {
			d.Key = c.Key
		}
		if sources, err = move(d, sources, at, c); err != nil {
			return "", nil, nil, err
		}
	}
	return name, d, sources, nil
}

// recast is the SQL of a value as a column of another class has it.
func recast(source string, before, after class, c sqldump.Column) string {
	if before == real && after == integer {
		source = "ROUND(" + source + ")"
	}
	if before != after {
		source = fmt.Sprintf("CAST(%s AS %s)", source, after)
	}
	if c.NotNull && !c.Auto {
		k, err := newColumn(c)
		if err == nil {
			source = fmt.Sprintf("COALESCE(%s, %s)", source, literal(boxed(k.missing)))
		}
	}
	return source
}

// rename gives a column another name, also in keys.
func rename(d *sqldump.Definition, at int, name string) {
	old := d.Columns[at].Name
	for _, key := range [][]string{d.Key, d.Unique} {
		for i := range key {
			if key[i] == old {
				key[i] = name
			}
		}
	}
	d.Columns[at].Name = name
}

func without(names []string, name string) []string {
	return slices.DeleteFunc(names, func(n string) bool { return n == name })
}

// move puts a column where a change says.
func move(d *sqldump.Definition, sources []string, at int, c sqldump.Change) ([]string, error) {
	if !c.First && c.After == "" {
		return sources, nil
	}
	column, source := d.Columns[at], sources[at]
	d.Columns, sources = slices.Delete(d.Columns, at, at+1), slices.Delete(sources, at, at+1)
	to := 0
	if !c.First {
		i := slices.IndexFunc(d.Columns, func(have sqldump.Column) bool { return have.Name == c.After })
		if i < 0 {
			return nil, fmt.Errorf("no column %s", c.After)
		}
		to = i + 1
	}
	d.Columns, sources = slices.Insert(d.Columns, to, column), slices.Insert(sources, to, source)
	return sources, nil
}

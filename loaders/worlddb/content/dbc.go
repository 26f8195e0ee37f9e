package content

import "muster/loaders/dbc"

// readFile gives f each row of a table of the client, if its user has the file.
func (l *loader) readFile(t *dbc.Table, f func(dbc.Row)) error {
	if l.files == "" {
		return nil
	}
	rows, err := dbc.Read(l.files, t)
	for _, row := range rows {
		f(row)
	}
	return err
}

// nameMaps gives maps the names that the client has for them.
func (l *loader) nameMaps() error {
	names := make(map[int64]string)
	if err := l.readFile(dbc.Map, func(row dbc.Row) { names[row[0].Int] = row[1].Text }); err != nil {
		return err
	}
	for i := range l.world.Maps {
		if name := names[int64(l.world.Maps[i].ID)]; name != "" && len(name) <= maxMapName {
			l.world.Maps[i].Name = name
		}
	}
	return nil
}

// maxMapName is the longest name of a map, bytes, our own choice.
const maxMapName = 128

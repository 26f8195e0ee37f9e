// Package worlddb reads the world databases of other servers from their SQL dumps into a database of muster's: SQLite in
// one file, or a schema of PostgreSQL. What is kept are the rows as the dumps have them; docs/worlds.md has the tables.
package worlddb

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// Config says what is imported, and to where. Exactly one of Dir and URL is set.
type Config struct {
	Paths    []string       // files, folders, - for Stdin; a base stands before its updates
	Stdin    io.Reader      // of the path -
	Dir      string         // SQLite: the file File in this folder, which is made
	URL      string         // PostgreSQL: the schema Schema of this database
	Update   bool           // onto the world that is there, which is otherwise replaced
	Strict   bool           // end at the first row or statement that is not used
	Progress func(Progress) // called often, between rows; or nil
}

// A Progress is how far an import is.
type Progress struct {
	File  string
	Files int   // that are read whole
	Bytes int64 // of the files as they are stored
	Total int64 // without standard input
	Rows  int64
}

// A Result is what an import has done.
type Result struct {
	Report    *Report       `json:"report"`
	Files     int           `json:"files"`     // that were read
	Bytes     int64         `json:"bytes"`     // as the files are stored
	Text      int64         `json:"sql_bytes"` // without compression
	Rows      int64         `json:"rows"`
	Unchanged bool          `json:"unchanged"` // all files are in the world already, and none was read
	Took      time.Duration `json:"nanoseconds"`
}

// ErrNoWorld is that there is no world where one is expected.
var ErrNoWorld = errors.New("there is no imported world")

// errFormat is that a world was made by a muster that keeps worlds otherwise.
var errFormat = errors.New("import it again")

// A place is where a world is kept.
type place interface {
	// scratch is a new file in which a world can be made, and what removes it.
	scratch() (path string, remove func(), err error)
	// fetch writes the world that is there to a file that scratch has named.
	fetch(ctx context.Context, path string) error
	// publish has the world of a file take the place of the one that is there.
	publish(ctx context.Context, path string) error
	// open opens the world that is there to be read. The error is ErrNoWorld if there is none.
	open(ctx context.Context) (*store, error)
}

func (c *Config) place() (place, error) {
	switch {
	case (c.Dir == "") == (c.URL == ""):
		return nil, errors.New("worlddb: either a folder or a database")
	case c.Dir != "":
		return folderPlace(c.Dir), nil
	}
	return serverPlace(c.URL), nil
}

// Import reads dumps into a world. If it fails, the world that was there is as it was. Where the same files, in the same
// order and with the same content, have made the world already, nothing is done; with Update those files that are in it are
// left out.
func Import(ctx context.Context, c Config) (*Result, error) {
	r, err := importWorld(ctx, c)
	if ended := ctx.Err(); err != nil && ended != nil {
		err = ended
	}
	if err != nil {
		return nil, fmt.Errorf("worlddb: import: %w", err)
	}
	return r, nil
}

func importWorld(ctx context.Context, c Config) (*Result, error) {
	begun := time.Now()
	to, err := c.place()
	if err != nil {
		return nil, err
	}
	files, err := inputs(c.Paths)
	if err != nil {
		return nil, err
	}
	for i := range files {
		if err := files[i].digest(ctx); err != nil {
			return nil, err
		}
	}
	there, err := imported(ctx, to)
	if errors.Is(err, ErrNoWorld) && c.Update {
		return nil, fmt.Errorf("%w to update: import a base first", ErrNoWorld)
	} else if err != nil && !errors.Is(err, ErrNoWorld) && (c.Update || !errors.Is(err, errFormat)) {
		return nil, err
	}
	if files = remaining(files, there, c.Update); len(files) == 0 {
		report, err := reportOf(ctx, to)
		return &Result{Report: report, Unchanged: true, Took: time.Since(begun)}, err
	}

	path, remove, err := to.scratch()
	if err != nil {
		return nil, err
	}
	defer remove()
	if c.Update {
		if err := to.fetch(ctx, path); err != nil {
			return nil, err
		}
	}
	im, err := fill(ctx, c, files, path)
	if err != nil {
		return nil, err
	}
	report, err := reportFile(ctx, path)
	if err != nil {
		return nil, err
	}
	if err := to.publish(ctx, path); err != nil {
		return nil, err
	}
	return &Result{Report: report, Files: len(files), Bytes: im.at.Bytes, Text: im.text, Rows: im.at.Rows, Took: time.Since(begun)}, nil
}

// remaining are the files that are to be read.
func remaining(files, there []input, update bool) []input {
	if update {
		have := make(map[string]bool)
		for _, f := range there {
			have[f.hash] = true
		}
		var left []input
		for _, f := range files {
			if f.hash == "" || !have[f.hash] {
				left = append(left, f)
			}
		}
		return left
	}
	if len(files) != len(there) {
		return files
	}
	for i, f := range files {
		if f.hash == "" || f.hash != there[i].hash {
			return files
		}
	}
	return nil
}

// fill reads dumps into the world of a file.
func fill(ctx context.Context, c Config, files []input, path string) (im *importer, err error) {
	im = newImporter(nil, c)
	defer func() {
		if err != nil {
			err = errors.Join(err, im.abort())
		}
	}()
	if !c.Update {
		im.bulk, err = newBulk(path)
	} else if im.scratch, err = openScratch(ctx, path); err == nil {
		err = im.load(ctx)
	}
	if err != nil {
		return im, err
	}
	for _, f := range files {
		im.at.Total += f.size
	}
	if err := im.readAll(ctx, files, c.Stdin); err != nil {
		return im, err
	}
	if err := im.save(); err != nil {
		return im, err
	}
	return im, im.finish()
}

// abort gives up what is being made.
func (im *importer) abort() error {
	if im.bulk != nil {
		return im.bulk.abort()
	}
	if im.scratch != nil {
		return im.scratch.close()
	}
	return nil
}

// readAll applies dumps. When it returns, without an error, the scratch is there and its caller's alone.
func (im *importer) readAll(ctx context.Context, files []input, standard io.Reader) error {
	if im.scratch != nil {
		im.adder = newAdder(im.scratch)
	}
	defer func() { im.adder.stop() }()
	for _, f := range files {
		if err := im.read(ctx, f, standard); err != nil {
			return err
		}
	}
	return im.toSQL(ctx)
}

// persist has a file on the disk.
func persist(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

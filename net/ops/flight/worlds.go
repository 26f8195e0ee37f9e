package flight

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"muster/net/replication/recording"
)

// worldsFolder is where a bundle has the excerpts of logs.
const worldsFolder = "worlds"

// maxExcerpts bounds the excerpts in a bundle together, in bytes: it is made in memory. No more is copied, either.
const maxExcerpts = 256 << 20

// excerptsTime bounds the time that it takes to copy the excerpts of a bundle, together.
const excerptsTime = 10 * time.Second

// errSlow is why a world has no excerpt.
var errSlow = fmt.Errorf("to copy the logs of worlds took longer than %v", excerptsTime)

// excerptsName begins the names of folders that have excerpts while their bundle is written.
const excerptsName = "excerpts-"

// excerpts are those of one bundle, in folders.
type excerpts struct {
	within  string // where their folder is made; "": where temporary ones are
	all     string // their folder; "" until there is one
	folders []string
	left    int64 // for those that follow, in bytes
}

// take copies what the log of a world has of the window, and returns a note about it.
func (e *excerpts) take(ctx context.Context, w *World, c Cause) (about string) {
	size, err := e.copy(ctx, w, c)
	if err != nil {
		return "none: " + strings.ReplaceAll(err.Error(), "\n", ", ")
	}
	e.left -= size
	return "those of its log, for muster replay"
}

// copy copies what the log of a world has of the window into a folder, and returns how many bytes that has.
func (e *excerpts) copy(ctx context.Context, w *World, c Cause) (size int64, err error) {
	if ctx.Err() != nil {
		return 0, context.Cause(ctx)
	}
	if err := e.make(); err != nil {
		return 0, err
	}
	folder, err := os.MkdirTemp(e.all, "")
	if err != nil {
		return 0, err
	}
	if err = w.excerptOf(ctx, folder, c, e.left); err == nil {
		size, err = sizeOf(folder)
	} else if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return 0, errors.Join(err, os.RemoveAll(folder))
	}
	e.folders = append(e.folders, folder)
	return size, nil
}

// make makes their folder, if there is none yet. Without a world that has a log there is never one: the disk may be one that cannot be written.
func (e *excerpts) make() (err error) {
	if e.all != "" {
		return nil
	}
	if e.within != "" {
		if err := os.MkdirAll(e.within, 0o700); err != nil {
			return err
		}
	}
	e.all, err = os.MkdirTemp(e.within, excerptsName)
	return err
}

// remove removes them.
func (e *excerpts) remove() error {
	if e.all == "" {
		return nil
	}
	return os.RemoveAll(e.all)
}

// excerptOf copies what the world's log has of the window, or since the oldest tick that it has.
func (w *World) excerptOf(ctx context.Context, folder string, c Cause, most int64) error {
	last := c.Tick
	if t, ok := w.stats.Latest(); ok && (c.Kind == Asked || !w.of(c)) {
		last = t.N
	}
	tick := last - min(last, uint64(Window/w.stats.Quantum))
	err := w.excerpt(ctx, folder, tick, most)
	var purged *recording.PurgedError
	if errors.As(err, &purged) && len(purged.Since) > 0 { // it is as new as that
		err = w.excerpt(ctx, folder, purged.Since[0], most)
	}
	return err
}

// sizeOf is how many bytes the files of a folder have.
func sizeOf(folder string) (size int64, err error) {
	err = filepath.WalkDir(folder, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			size += info.Size()
		}
		return err
	})
	return size, err
}

// addWorld adds the excerpt in a folder to a bundle.
func addWorld(z *zip.Writer, at time.Time, folder string) error {
	return filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		within, err := filepath.Rel(folder, name)
		if err != nil {
			return err
		}
		file, err := os.Open(name)
		if err != nil {
			return err
		}
		defer file.Close()
		to, err := z.CreateHeader(&zip.FileHeader{Name: path.Join(worldsFolder, filepath.ToSlash(within)), Method: zip.Deflate, Modified: at})
		if err != nil {
			return err
		}
		_, err = io.Copy(to, file)
		return err
	})
}

// ErrNoWorlds is returned for a bundle without a log of a world.
var ErrNoWorlds = errors.New("flight: a bundle without the log of a world: there is one of worlds that are kept with --durable world")

// ExtractWorlds writes the excerpts of logs in a bundle into a folder. The error wraps ErrFormat, ErrNoWorlds, or is one of r or of the folder.
func ExtractWorlds(r io.ReaderAt, size int64, folder string) error {
	z, err := zip.NewReader(r, size)
	if errors.Is(err, zip.ErrFormat) {
		return ErrFormat
	}
	if err != nil {
		return err
	}
	found, left := false, int64(maxExcerpts)
	for _, f := range z.File {
		name, ok := strings.CutPrefix(f.Name, worldsFolder+"/")
		if !ok || !filepath.IsLocal(name) {
			continue
		}
		found = true
		if err := extract(f, filepath.Join(folder, filepath.FromSlash(name)), &left); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	if !found {
		return ErrNoWorlds
	}
	return nil
}

// extract writes a file of a bundle, of so many bytes at most.
func extract(f *zip.File, to string, left *int64) error {
	from, err := f.Open()
	if err != nil {
		return err
	}
	defer from.Close()
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	n, err := io.Copy(file, io.LimitReader(from, *left+1))
	if *left -= n; *left < 0 {
		err = errors.Join(err, fmt.Errorf("%w: the logs of worlds have more than %d bytes", ErrFormat, int64(maxExcerpts)))
	}
	return errors.Join(err, file.Close())
}

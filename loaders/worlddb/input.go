package worlddb

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// stdin is the path of standard input.
const stdin = "-"

// An input is a dump that is read.
type input struct {
	path   string
	name   string // in reports: from the folder that was named
	update bool
	size   int64  // as it is stored
	hash   string // of what is stored; "" of standard input until it is read
}

// suffixes are those of files that are read in folders.
var suffixes = []string{".sql", ".sql.gz", ".sql.zst"}

// superseded are folders of updates that the base of the same release contains.
var superseded = []string{"archive", "old"}

// inputs lists the files of paths: those of a folder by name, the base before updates.
func inputs(paths []string) ([]input, error) {
	var all []input
	for _, p := range paths {
		if p == stdin {
			all = append(all, input{path: p, name: p})
			continue
		}
		info, err := os.Stat(p)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			all = append(all, input{path: p, name: filepath.Base(p), size: info.Size()})
			continue
		}
		within, err := folder(p)
		if err != nil {
			return nil, err
		}
		if len(within) == 0 {
			return nil, fmt.Errorf("%s has no files that end with %s", p, strings.Join(suffixes, " or "))
		}
		all = append(all, within...)
	}
	return all, nil
}

func folder(root string) ([]input, error) {
	var all []input
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && p != root && slices.Contains(superseded, strings.ToLower(d.Name())):
			return filepath.SkipDir
		case d.IsDir() || !slices.ContainsFunc(suffixes, func(s string) bool { return strings.HasSuffix(strings.ToLower(p), s) }):
			return nil
		}
		info, err := os.Stat(p)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		all = append(all, input{path: p, name: rel, size: info.Size(), update: isUpdate(rel)})
		return nil
	})
	slices.SortStableFunc(all, func(a, b input) int {
		return cmp.Or(compare(a.update, b.update), cmp.Compare(a.name, b.name))
	})
	return all, err
}

// isUpdate reports whether a folder of a path says that it has updates. AzerothCore and CMaNGOS call them updates, with
// something before or behind.
func isUpdate(name string) bool {
	folders := strings.Split(strings.ToLower(name), "/")
	return slices.ContainsFunc(folders[:len(folders)-1], func(f string) bool {
		return strings.Contains(f, "update") || strings.Contains(f, "pending") || f == "custom"
	})
}

func compare(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// digest fills in the hash of a file.
func (in *input) digest(ctx context.Context) error {
	if in.path == stdin {
		return nil
	}
	f, err := os.Open(in.path)
	if err != nil {
		return err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, &watched{ctx: ctx, from: f}); err != nil {
		return err
	}
	in.hash = hex.EncodeToString(sum.Sum(nil))
	return nil
}

// A watched reader ends with its context, and counts and hashes what it gives.
type watched struct {
	ctx  context.Context
	from io.Reader
	n    int64
	sum  hash.Hash // or nil
}

func (w *watched) Read(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := w.from.Read(p)
	w.n += int64(n)
	if w.sum != nil {
		w.sum.Write(p[:n])
	}
	return n, err
}

// maxZstd is how much memory a decoder may take for its window.
const maxZstd = 128 << 20

// unpack decompresses what begins as gzip and zstd do. The caller closes it.
func unpack(from io.Reader) (io.ReadCloser, error) {
	b := bufio.NewReaderSize(from, 128<<10)
	magic, err := b.Peek(4)
	if err != nil && err != io.EOF {
		return nil, err
	}
	switch {
	case bytes.HasPrefix(magic, []byte{0x1F, 0x8B}):
		return gzip.NewReader(b)
	case bytes.Equal(magic, []byte{0x28, 0xB5, 0x2F, 0xFD}):
		d, err := zstd.NewReader(b, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxZstd), zstd.WithDecoderLowmem(true))
		if err != nil {
			return nil, err
		}
		return d.IOReadCloser(), nil
	}
	return io.NopCloser(b), nil
}

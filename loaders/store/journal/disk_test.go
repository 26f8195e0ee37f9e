package journal

import (
	"errors"
	"io/fs"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// A disk is an FS in memory that can fail.
type disk struct {
	mu     sync.Mutex
	files  map[string]*content
	locked bool
	refuse error         // of whatever changes something
	room   int           // bytes that still fit; negative is any number
	slow   time.Duration // of each Sync
	syncs  atomic.Int32
}

// content is a file: what a crash leaves of it begins with what was synced.
type content struct {
	b      []byte
	synced int
	named  bool // the folder was synced since it was made
}

func newDisk() *disk { return &disk{files: make(map[string]*content), room: -1} }

// crash returns the disk as it is found after the process was killed: of what was not synced a random part is there.
func (d *disk) crash(r *rand.Rand) *disk {
	d.mu.Lock()
	defer d.mu.Unlock()
	after := newDisk()
	after.slow = d.slow
	for _, name := range slices.Sorted(maps.Keys(d.files)) {
		c := d.files[name]
		if !c.named && r.IntN(2) == 0 {
			continue
		}
		n := c.synced + r.IntN(len(c.b)-c.synced+1)
		after.files[name] = &content{b: slices.Clone(c.b[:n]), synced: n, named: true}
	}
	return after
}

// set has every change refused with an error, nil for none.
func (d *disk) set(refuse error, room int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.refuse, d.room = refuse, room
}

func (d *disk) size() (n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, c := range d.files {
		n += len(c.b)
	}
	return n
}

func (d *disk) names() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Sorted(maps.Keys(d.files))
}

func (d *disk) Lock() (func() error, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.locked {
		return nil, ErrInUse
	}
	d.locked = true
	return func() error {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.locked = false
		return nil
	}, nil
}

func (d *disk) List() ([]string, error) { return d.names(), nil }

func (d *disk) Read(name string) ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if c := d.files[name]; c != nil {
		return slices.Clone(c.b), nil
	}
	return nil, fs.ErrNotExist
}

func (d *disk) Create(name string) (File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.refuse != nil {
		return nil, d.refuse
	}
	if d.files[name] != nil {
		return nil, fs.ErrExist
	}
	d.files[name] = new(content)
	return &file{d, name}, nil
}

func (d *disk) Truncate(name string, size int64) error {
	return d.change(name, func(c *content) { c.b, c.synced = c.b[:size], min(c.synced, int(size)) })
}

func (d *disk) Rename(from, to string) error {
	return d.change(from, func(c *content) { delete(d.files, from); d.files[to] = c })
}

func (d *disk) Remove(name string) error {
	return d.change(name, func(*content) { delete(d.files, name) })
}

func (d *disk) change(name string, do func(*content)) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	c := d.files[name]
	if c == nil {
		return fs.ErrNotExist
	}
	if d.refuse != nil {
		return d.refuse
	}
	do(c)
	return nil
}

func (d *disk) Sync() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, c := range d.files {
		c.named = true
	}
	return d.refuse
}

// errNoRoom is the error of a full disk.
var errNoRoom = errors.New("no space left on device")

type file struct {
	d    *disk
	name string
}

func (f *file) Write(b []byte) (n int, err error) {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	c := f.d.files[f.name]
	if n = len(b); f.d.room >= 0 && n > f.d.room {
		n, err = f.d.room, errNoRoom
	}
	if f.d.refuse != nil {
		n, err = 0, f.d.refuse
	}
	if f.d.room >= 0 {
		f.d.room -= n
	}
	c.b = append(c.b, b[:n]...)
	return n, err
}

func (f *file) Sync() error {
	f.d.mu.Lock()
	c, slow := f.d.files[f.name], f.d.slow
	n := len(c.b)
	f.d.mu.Unlock()
	if slow > 0 {
		<-time.After(slow)
	}
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	f.d.syncs.Add(1)
	if f.d.refuse == nil {
		c.synced = max(c.synced, n)
	}
	return f.d.refuse
}

func (f *file) Close() error { return nil }

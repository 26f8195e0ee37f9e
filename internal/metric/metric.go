// Package metric counts reasons: why a connection was closed, a packet dropped, a login refused.
package metric

import (
	"slices"
	"sync"
	"sync/atomic"
)

// MaxNames bounds a table. Names beyond it are counted under Overflow.
const MaxNames = 512

// Overflow is the name that counts what no longer has room for a name of its own.
const Overflow = "other"

// A Counter is the count of one name. Counting takes no lock; any goroutine may do it.
type Counter struct{ n atomic.Uint64 }

// Count adds one.
func (c *Counter) Count() { c.n.Add(1) }

// Add adds n.
func (c *Counter) Add(n uint64) { c.n.Add(n) }

// Value is what was counted so far.
func (c *Counter) Value() uint64 { return c.n.Load() }

// Table counts by name. The zero value is ready; every method may be called from any goroutine.
type Table struct {
	mu     sync.RWMutex
	counts map[string]*Counter
}

// Counter is the counter of a name, the same each time: a caller that counts often, or may not wait for a
// lock, asks for it once. It allocates the first time a name is seen and never again.
func (t *Table) Counter(name string) *Counter {
	t.mu.RLock()
	c := t.counts[name]
	t.mu.RUnlock()
	if c == nil {
		c = t.make(name)
	}
	return c
}

// Declare makes the counters of names that may be counted, so that they are told from the start.
func (t *Table) Declare(names ...string) {
	for _, name := range names {
		t.Counter(name)
	}
}

// Count adds one to a name.
func (t *Table) Count(name string) { t.Counter(name).Count() }

// Add adds n to a name.
func (t *Table) Add(name string, n uint64) { t.Counter(name).Add(n) }

func (t *Table) make(name string) *Counter {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.counts == nil {
		t.counts = make(map[string]*Counter)
	}
	if t.counts[name] == nil && len(t.counts) >= MaxNames {
		name = Overflow
	}
	c := t.counts[name]
	if c == nil {
		c = new(Counter)
		t.counts[name] = c
	}
	return c
}

// Value is the count of a name, zero if it was never counted.
func (t *Table) Value(name string) uint64 {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if c := t.counts[name]; c != nil {
		return c.Value()
	}
	return 0
}

// Each visits every name that has a counter, in order, also what was never counted.
func (t *Table) Each(visit func(name string, n uint64)) {
	t.mu.RLock()
	names := make([]string, 0, len(t.counts))
	for name := range t.counts {
		names = append(names, name)
	}
	t.mu.RUnlock()
	slices.Sort(names)
	for _, name := range names {
		visit(name, t.Value(name))
	}
}

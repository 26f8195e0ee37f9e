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

// Table counts by name. The zero value is ready; every method may be called from any goroutine.
type Table struct {
	mu     sync.RWMutex
	counts map[string]*atomic.Uint64
}

// Count adds one to a name.
func (t *Table) Count(name string) { t.Add(name, 1) }

// Add adds n to a name. It allocates the first time a name is seen and never again.
func (t *Table) Add(name string, n uint64) {
	t.mu.RLock()
	c := t.counts[name]
	t.mu.RUnlock()
	if c == nil {
		c = t.make(name)
	}
	c.Add(n)
}

func (t *Table) make(name string) *atomic.Uint64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.counts == nil {
		t.counts = make(map[string]*atomic.Uint64)
	}
	if len(t.counts) >= MaxNames {
		name = Overflow
	}
	c := t.counts[name]
	if c == nil {
		c = new(atomic.Uint64)
		t.counts[name] = c
	}
	return c
}

// Value is the count of a name, zero if it was never counted.
func (t *Table) Value(name string) uint64 {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if c := t.counts[name]; c != nil {
		return c.Load()
	}
	return 0
}

// Each visits every name in order.
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

package journal

import (
	"testing"
	"testing/synctest"
	"time"

	"muster/components/life"
	"muster/loaders/store"
)

// While the disk syncs a group, the store gets none of it: a process that is killed then would leave a part of it.
//
// Source: docs/adr/0013-a-journal-over-the-store.md ("all that is written in one round counts together or not at all, and
// the store gets nothing that the disk does not have").
func TestStoreWaitsForTheSync(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, d := newBelow(), newDisk()
		characters := b.characters(t, 3)
		j, _ := open(t, b, d, func(c *Config) { c.Batch = 1 })
		b.away.Store(true)
		j.Save([]store.Snapshot{step(&characters[2], 0)}, nil)
		<-time.After(time.Second) // it is on the disk, and the store is asked again and again
		d.mu.Lock()
		d.slow = 20 * time.Second
		d.mu.Unlock()
		before := [2]store.Character{characters[0], characters[1]}
		j.Save([]store.Snapshot{step(&characters[0], life.Items), step(&characters[1], life.Items)}, nil)
		<-time.After(5 * time.Second) // they are being written
		b.away.Store(false)
		<-time.After(5 * time.Second)
		expect(t, b.Memory, characters[2])
		for i := range before {
			expect(t, b.Memory, before[i])
		}
		<-time.After(20 * time.Second)
		for i := range before {
			expect(t, b.Memory, characters[i])
		}
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	})
}

package journal

import (
	"context"
	"testing"
	"time"

	"muster/loaders/store"
	"muster/loaders/store/sqlite"
	"muster/loaders/store/storetest"
)

// A journal over a store is a store.
func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Place {
		return storetest.Place{Open: func() (store.Store, error) {
			j, _, err := Open(t.Context(), store.NewMemory(store.MemoryConfig{}), Config{Dir: t.TempDir()})
			return j, err
		}}
	})
}

func TestStoreOverSQLite(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Place {
		dir := t.TempDir()
		return storetest.Place{Durable: true, Open: func() (store.Store, error) {
			below, err := sqlite.Open(context.Background(), sqlite.Config{Dir: dir, Timeout: time.Second})
			if err != nil {
				return nil, err
			}
			j, _, err := Open(t.Context(), below, Config{Dir: t.TempDir()}) // each process has its own
			return j, err
		}}
	})
}

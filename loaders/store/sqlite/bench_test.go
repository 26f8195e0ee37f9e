package sqlite_test

import (
	"testing"

	"muster/loaders/store"
	"muster/loaders/store/sqlite"
	"muster/loaders/store/storetest"
)

func BenchmarkStore(b *testing.B) {
	storetest.Benchmark(b, func(b *testing.B) storetest.Place {
		c := sqlite.Config{Dir: b.TempDir()}
		return storetest.Place{Open: func() (store.Store, error) { return sqlite.Open(b.Context(), c) }}
	})
}

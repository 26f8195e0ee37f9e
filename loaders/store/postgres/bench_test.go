package postgres_test

import (
	"testing"

	"muster/loaders/store"
	"muster/loaders/store/postgres"
	"muster/loaders/store/storetest"
)

func BenchmarkStore(b *testing.B) {
	storetest.Benchmark(b, func(b *testing.B) storetest.Place {
		c := postgres.Config{URL: fresh(b)}
		return storetest.Place{Open: func() (store.Store, error) { return postgres.Open(b.Context(), c) }}
	})
}

package worlddb

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"muster/internal/pgtest"
)

var cluster *pgtest.Cluster

func TestMain(m *testing.M) {
	os.Exit(pgtest.Main(m, &cluster, func() error { return goleak.Find() }))
}

package worlddb

import (
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"

	"muster/internal/pgtest"
)

var cluster *pgtest.Cluster

func TestMain(m *testing.M) {
	if dir := os.Getenv(importInto); dir != "" {
		if err := importStdin(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(pgtest.Main(m, &cluster, func() error { return goleak.Find() }))
}

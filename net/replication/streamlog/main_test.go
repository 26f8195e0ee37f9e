package streamlog

import (
	"testing"

	"go.uber.org/goleak"

	"muster/internal/natstest"
)

// TestMain allows for natstest.Orphan.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction(natstest.Orphan))
}

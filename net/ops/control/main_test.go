package control

import (
	"testing"

	"go.uber.org/goleak"
)

// What gnet keeps for itself from its import on is not ours.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m, goleak.IgnoreCurrent()) }

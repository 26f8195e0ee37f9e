package streamlog

import (
	"testing"

	"go.uber.org/goleak"
)

// TestMain allows for a goroutine of nats.go: that of an object's publisher ends never if the object is stored before it has begun
// (jetStream.resetPendingAcksOnReconnect, nats.go v1.55.0: it reads its channel after CleanupPublisher has removed that).
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/nats-io/nats.go/jetstream.(*jetStream).resetPendingAcksOnReconnect"))
}

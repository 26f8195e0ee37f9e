package remote

import (
	"errors"
	"testing"

	"muster/internal/metric"
	"muster/net/replication/frame"
)

// A deadBus takes nothing.
type deadBus struct{}

var errDead = errors.New("dead")

func (deadBus) Publish(string, []byte) error                            { return errDead }
func (deadBus) Subscribe(string, func([]byte)) (stop func(), err error) { return nil, errDead }

// The exchange of a world that cannot be reached at all ends: what waits for that, as the next one in its place, goes on.
func TestUnreachable(t *testing.T) {
	port := frame.NewExchange()
	g := NewGateway(GatewayConfig{Bus: deadBus{}, Address: testAddress, Exchange: port, Number: 1, Life: 1, Step: testTick, Metric: new(metric.Table)})
	if err := g.Run(t.Context()); err != errDead {
		t.Errorf("ended with %v", err)
	}
	if !port.Stopped() {
		t.Error("its exchange has not ended")
	}
	select {
	case <-g.Ended():
	default:
		t.Error("it has not ended")
	}
}

package remote

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"muster/internal/metric"
	"muster/net/replication/frame"
)

// A gateway that follows a world that is lost takes no answer of an older one, which may still be there. After one that has gone on without the gateway it
// takes that again, and after one that has ended only a newer one.
func TestLeast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer synctest.Wait()
		defer cancel()
		bus := newBus(1)
		begin := func(life uint64) *testWorld {
			w := newTestWorld()
			go NewWorld(WorldConfig{Bus: bus, Address: testAddress, Exchange: w.exchange, Life: life, Metric: new(metric.Table)}).Run(ctx)
			return w
		}
		var lives uint64
		follow := func(least uint64) (g *Gateway, failed chan error) {
			lives++
			g = NewGateway(GatewayConfig{Bus: bus, Address: testAddress, Exchange: frame.NewExchange(), Number: 1, Life: lives, Least: least, Metric: new(metric.Table)})
			failed = make(chan error, 1)
			go func() { failed <- g.Run(ctx) }()
			return g, failed
		}
		isReady := func(g *Gateway) bool {
			time.Sleep(4 * heartbeat)
			synctest.Wait()
			select {
			case <-g.Ready():
				return true
			default:
				return false
			}
		}
		old := begin(5)
		g, failed := follow(0)
		if !isReady(g) {
			t.Fatal("it is not ready")
		}
		second := begin(6)
		if err := <-failed; !errors.Is(err, ErrLost) || g.Least() != 6 {
			t.Errorf("it ended with %v, and %d may follow, want 6", err, g.Least())
		}
		g, failed = follow(6)
		if !isReady(g) || g.world != 6 {
			t.Errorf("it has world %d, want 6", g.world)
		}
		old.step() // which it does not hear
		synctest.Wait()
		if n := g.config.Exchange.Newest(); n != 0 {
			t.Errorf("it has tick %d, of the older world", n)
		}
		second.exchange.Stop()
		if err := <-failed; !errors.Is(err, ErrLost) || g.Least() != 7 {
			t.Errorf("it ended with %v, and %d may follow, want 7", err, g.Least())
		}
		g, _ = follow(7)
		if isReady(g) {
			t.Error("it is ready with a world that has ended")
		}
		begin(7)
		if !isReady(g) {
			t.Error("it is not ready with the next world")
		}
	})
}

// A world whose process began after its clock was set back has a smaller life than the one before, which its gateways know: it takes a greater one before it
// answers the first of them. An older one that stood still meanwhile, and has had a gateway, does not.
func TestClockSetBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer synctest.Wait()
		defer cancel()
		bus := newBus(1)
		begin := func(ctx context.Context, life uint64) {
			go NewWorld(WorldConfig{
				Bus: bus, Address: testAddress, Exchange: newTestWorld().exchange, Life: life, Clocked: true, Metric: new(metric.Table),
			}).Run(ctx)
		}
		first, end := context.WithCancel(ctx)
		begin(first, 50)
		var lives uint64
		follow := func(least uint64) (g *Gateway, failed chan error) {
			lives++
			g = NewGateway(GatewayConfig{Bus: bus, Address: testAddress, Exchange: frame.NewExchange(), Number: 1, Life: lives, Least: least, Metric: new(metric.Table)})
			failed = make(chan error, 1)
			go func() { failed <- g.Run(ctx) }()
			return g, failed
		}
		g, failed := follow(0)
		<-g.Ready()
		if g.world != 50 {
			t.Errorf("it has world %d, want 50", g.world)
		}
		bus.set(0, 0, 0, true) // as if it were killed
		end()
		synctest.Wait()
		bus.set(0, 0, 0, false)
		begin(ctx, 40)
		if err := <-failed; !errors.Is(err, ErrLost) {
			t.Fatal(err)
		}
		second := g.Least()
		if second <= 50 || second > 51+lifeSpread {
			t.Fatalf("the world that follows has life %d, want one after 50", second)
		}
		g, failed = follow(second)
		<-g.Ready()
		if g.world != second {
			t.Errorf("it has world %d, want %d", g.world, second)
		}
		begin(ctx, second+10) // now the second one is an older one, and hears of a greater life
		if err := <-failed; !errors.Is(err, ErrLost) || g.Least() != second+10 {
			t.Errorf("it ended with %v, and %d may follow, want %d", err, g.Least(), second+10)
		}
		g, failed = follow(second + 10)
		<-g.Ready()
		time.Sleep(10 * heartbeat)
		synctest.Wait()
		select {
		case err := <-failed:
			t.Errorf("it ended with %v, want it to stay with the newer world", err)
		default:
		}
		if g.world != second+10 {
			t.Errorf("it has world %d, want %d", g.world, second+10)
		}
	})
}

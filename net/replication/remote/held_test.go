package remote

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"muster/internal/metric"
	"muster/net/replication/frame"
)

// Input that comes early in a step waits for more, and leaves shortly before the tick: all of it, in a message or two.
func TestInputIsSentShortlyBeforeItsTick(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer synctest.Wait()
		defer cancel()
		bus, world := newBus(1), newTestWorld()
		go NewWorld(WorldConfig{Bus: bus, Address: testAddress, Exchange: world.exchange, Life: 1, Metric: new(metric.Table)}).Run(ctx)
		g := NewGateway(GatewayConfig{Bus: bus, Address: testAddress, Exchange: frame.NewExchange(), Number: 1, Life: 1, Step: testTick, Metric: new(metric.Table)})
		go g.Run(ctx)
		<-g.Ready()
		time.Sleep(heartbeat)
		messages, items := 0, 0
		bus.Subscribe(testAddress.in(), func(b []byte) {
			m, kind, _ := read(b)
			if m.number(); kind != kindInput {
				return
			}
			m.number()
			m.u64()
			var in frame.Inbox
			if err := in.UnmarshalBinary(m.rest()); err != nil {
				t.Error(err)
			}
			messages++
			items += in.Len()
			if before := 50 - world.exchange.NowMs()%50; before > 8 { // an eighth of the step, and what milliseconds are rounded by
				t.Errorf("a message leaves %d ms before the tick", before)
			}
		})
		const steps, perStep = 20, 5
		for range steps * perStep {
			var in frame.Inbox
			in.Add(frame.Item{Session: 1, Op: opTest, Body: []byte{1, 2, 3, 4}})
			g.config.Exchange.Post(&in)
			time.Sleep(testTick / perStep)
		}
		time.Sleep(testTick)
		synctest.Wait()
		if items != steps*perStep || messages > 2*(steps+1) {
			t.Errorf("%d items arrive in %d messages of %d steps, want %d in at most 2 each", items, messages, steps, steps*perStep)
		}
	})
}

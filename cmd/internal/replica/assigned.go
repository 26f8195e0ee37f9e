package replica

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"muster/cmd/internal/process"
	"muster/cmd/internal/upgrade"
	"muster/loaders/registry"
	"muster/net/replication/remote"
	"muster/net/replication/streamlog"
	"muster/sched"
)

// Worlds that the registry gives to workers, and that are kept in logs. The registry's epoch says which worker should have a world, the log which has it: a worker that is
// given one follows its log first, asks the process that has it to stop, and appends then; if that is silent it appends without. A standby that finds the process silent appends, too,
// and takes the shard in the registry afterwards. A worker whose shard is another's goes on until that one has appended.

// An Assignment is what the registry says of a world that a replica has or follows.
type Assignment struct {
	epoch  atomic.Uint64 // of the shard; of a replica that has the world: by which it was to
	Own    atomic.Bool   // it is given to this worker
	Remove atomic.Bool   // there is no such world any more: its log is removed at the end
}

// Order notes what the registry says. What has the world keeps the epoch by which it was to, until it is given another one.
func (a *Assignment) Order(epoch uint64, own, has bool) {
	if own || !has {
		a.epoch.Store(epoch)
	}
	a.Own.Store(own)
}

// A worldWant is what a worker says that is given a world which another process has, as JSON after wants.
type worldWant struct {
	ID    uint64 `json:"id"` // of the question: it is repeated until it is answered
	Epoch uint64 `json:"epoch"`
	To    string `json:"to"` // the process
	// Waits is set by a process that cannot follow the log, and is to be given a snapshot: it is of another release, or has other settings.
	Waits bool `json:"waits,omitempty"`
}

// wants is before what is wanted, on remote.Address.Lead.
const wants = "want "

// askFollower is as upgrade.AskGive, of a process that follows the log.
const askFollower = "follower"

// wantAnew is after what time something is wanted anew that was not given.
const wantAnew = upgrade.GiftTime + upgrade.GiftFence

// want asks the process that has the world to hand it over, if the registry has given it to this one.
func (r *Replica) want(waits bool) {
	if r.assigned == nil || !r.assigned.Own.Load() || !r.heard.Load() {
		return
	}
	if now := time.Now(); now.Sub(r.wanted) > wantAnew {
		r.wanted, r.wantID = now, max(rand.Uint64(), 1)
	}
	text, _ := json.Marshal(&worldWant{ID: r.wantID, Epoch: r.assigned.epoch.Load(), To: r.name, Waits: waits})
	if err := r.bus.Publish(r.address.Lead(), append([]byte(wants), text...)); err != nil {
		r.metric.Count(remote.NotSent)
	}
}

// hearWant takes what another process wants, and reports whether a message was such. It is done by the goroutine that has the world.
func (r *Replica) hearWant(message []byte) bool {
	text, ok := strings.CutPrefix(string(message), wants)
	if !ok {
		return false
	}
	m, ok := upgrade.Read[worldWant]([]byte(text))
	if !ok || m.ID == 0 || !r.Has() || r.assigned == nil || m.To == r.name || m.Epoch <= r.assigned.epoch.Load() {
		return true
	}
	ask := upgrade.Ask{ID: m.ID, Do: askFollower, Map: r.address.Map, From: r.name, To: m.To}
	if m.Waits {
		ask.Do = upgrade.AskGive
	}
	r.giving.Lock()
	defer r.giving.Unlock()
	if r.givingTo != m.ID {
		select {
		case r.asks <- ask:
			r.givingTo = m.ID
		default: // another one is under way
		}
	}
	return true
}

// Has reports whether this process has the world.
func (r *Replica) Has() bool {
	state, _ := r.state.Load().(string)
	return state == upgrade.StateHas
}

// IsBehind reports whether this process has read the log of the world that another one has, and could go on with it.
func (r *Replica) IsBehind() bool {
	state, _ := r.state.Load().(string)
	return state == upgrade.StateFollows && r.isReady()
}

// offered notes that the process that has the world has stopped, for this one to go on with it.
func (r *Replica) offered(g gift) {
	if r.gift == nil || *r.gift != g {
		r.gift, r.giftAt = &g, time.Now()
	}
}

// takeOffered appends to the log if it has been read up to where the process that had the world has stopped. The writer is nil if not.
func (r *Replica) takeOffered(ctx context.Context) (*streamlog.Writer, error) {
	g := r.gift
	if g == nil || r.follower.Last < g.Number {
		return nil, nil
	}
	left := time.Duration(g.WithinMs)*time.Millisecond - time.Since(r.giftAt)
	if r.gift = nil; r.follower.Last != g.Number || left <= 0 {
		return nil, nil // it has gone on
	}
	appending, cancel := context.WithTimeout(ctx, left)
	defer cancel()
	writer := r.newWriter()
	switch err := writer.Lead(appending); {
	case errors.Is(err, streamlog.ErrMoved):
		return nil, nil
	case err != nil:
		return nil, err
	}
	r.clock = sched.NewFineClock()
	r.clock.Advance(max(time.Duration(g.ClockMs)*time.Millisecond+time.Since(r.giftAt), time.Duration(r.tick)*r.loop.Quantum))
	r.log.Info("this process has the world", "tick", r.tick, "from", g.From, "epoch", r.assigned.epoch.Load())
	r.reply(g, nil)
	return writer, nil
}

// Assign makes a new replica one of a shard.
func (r *Replica) Assign(s registry.Shard, a *Assignment, made func() uint64) {
	r.address.Instance = s.Instance
	r.Place = LogOf(r.Place.Stream, r.address)
	r.assigned, r.made, r.successor = a, made, true
	r.log = r.log.With("instance", s.Instance)
	r.renew()
}

// SayEnded says that this process has the world no more, so that another one need not wait until it has been silent.
func (r *Replica) SayEnded() {
	if err := r.bus.Publish(r.address.Lead(), []byte(process.Ended+process.NameOf(os.Getpid()))); err != nil {
		r.metric.Count(remote.NotSent)
	}
}

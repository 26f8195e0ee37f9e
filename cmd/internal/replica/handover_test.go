package replica

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"muster/cmd/internal/release"
	"muster/cmd/internal/upgrade"
	"muster/cmd/internal/worldspec"
	"muster/internal/metric"
	"muster/net/ops/console"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/net/replication/remote"
	"muster/net/replication/streamlog"
)

// A spoiledStream has snapshots of worlds whose components are called otherwise, while it is told so.
type spoiledStream struct {
	streamlog.Stream
	mu    sync.Mutex
	spoil bool
}

func (s *spoiledStream) set(spoil bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.spoil = spoil
}

func (s *spoiledStream) Get(ctx context.Context, name string) ([]byte, error) {
	b, err := s.Stream.Get(ctx, name)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.spoil && err == nil {
		const numbers = 1 + 5*8
		at := numbers + streamlog.HashSize
		for range 2 { // the header and the roster are before the state
			at += 4 + int(binary.LittleEndian.Uint32(b[at:]))
		}
		const digits = 20 // of its tick, at the end of its name
		tick, err := strconv.ParseUint(name[len(name)-digits:], 10, 64)
		if err != nil {
			return nil, err
		}
		log := streamlog.Log{Stream: s.Stream, Name: name[:len(name)-digits]}
		snapshot, err := log.At(ctx, tick)
		if err != nil {
			return nil, err
		}
		state := bytes.Replace(snapshot.State, []byte("component Position"), []byte("component Somewher"), 1)
		hash := sha256.Sum256(state)
		b[0] = 3 // the version with this hash, in which states are not compressed
		b = slices.Concat(b[:numbers], hash[:], b[numbers+streamlog.HashSize:at+4], state)
	}
	return b, err
}

// A world whose successor refuses its snapshot, or does not answer, goes on where it was, and the verb says why; said again when the successor can have
// it, it does, with the settings of that. Who comes later finds the world as it was handed over.
func TestWorldIsHandedOver(t *testing.T) {
	t.Parallel()
	_, bus, stream := startRealm(t)
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	run := func(r *replicaOf, name string) (ended chan error) {
		r.name, ended = name, make(chan error, 1)
		running.Go(func() { ended <- r.Run(ctx) })
		select {
		case <-r.ready:
		case err := <-ended:
			t.Fatalf("%s ended with %v\n%s", name, err, r.log.String())
		case <-time.After(patience):
			t.Fatalf("%s is not ready", name)
		}
		return ended
	}
	one := newReplicaOf(t, bus, stream, false)
	oneEnded := run(one, "one")
	eventually(t, "it has the world", func() bool { return one.leads.Load() != nil })
	var in frame.Inbox
	anna := newcomer(7)
	anna.O = math.Float32frombits(0x3F9AF00D)
	in.Add(frame.Item{Session: 7, Op: frame.OpEnter, Body: msg.Append(nil, wire.V12340, anna)})
	if err := one.live.Exchange.Post(&in); err != nil {
		t.Fatal(err)
	}
	goesOn := func() {
		t.Helper()
		at := one.live.Exchange.Newest()
		eventually(t, "the world goes on", func() bool { return one.live.Exchange.Newest() >= at+2*one.second() })
	}
	goesOn()

	spoiled := &spoiledStream{Stream: stream}
	two := newReplicaOf(t, bus, stream, false)
	two.Place.Stream, two.successor, two.header.Release, two.header.XPRate = spoiled, true, "next", 3
	two.anewly()
	twoEnded := run(two, "two")
	u := upgrade.New(upgrade.Config{Bus: bus, Realm: "r", Gateway: 1, Made: one.made(), Players: func() int { return 5 }, Drain: func() {}})
	running.Go(func() {
		if err := u.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	say := func(dry bool) (text string, more bool, err error) {
		ctx, cancel := context.WithTimeout(ctx, 14*time.Second)
		defer cancel()
		lines, more, err := u.Upgrade(ctx, dry, nil)
		return strings.Join(lines, "\n"), more, err
	}
	plan, more, err := say(true)
	if want := "map 0 goes from one, " + release.Name() + " --rate-xp 1 --death-reclaim anywhere --strikes 10, to two, next --rate-xp 3 --death-reclaim anywhere --strikes 10\n" +
		"gateway 1, " + release.Name() + ", is drained: 5 players log in again\nno gateway is drained before there is another one of next"; plan != want || more || err != nil {
		t.Errorf("%v, %t, the plan is\n%s\nwant\n%s", err, more, plan, want)
	}

	spoiled.set(true)
	late := uint64(0) // answers, which a busy machine may keep for longer than a world stands still
	inTime := func() (said string, more bool, err error) {
		t.Helper()
		for end := time.Now().Add(patience); ; late++ {
			if said, more, err = say(false); err == nil || !strings.Contains(err.Error(), "two has not taken it within") || time.Now().After(end) {
				return said, more, err
			}
			goesOn()
		}
	}
	_, _, err = inTime()
	var refusal console.Refusal
	if want := "Map 0 is not handed over, and one goes on with it: two refuses it: "; !errors.As(err, &refusal) || !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), "Somewher") {
		t.Errorf("the verb answers %v, want %s…", err, want)
	}
	goesOn()
	spoiled.set(false)

	// One that has died says nothing.
	answers := make(chan upgrade.Answer, 1)
	stop, err := bus.Subscribe(remote.Upgraded("r"), func(b []byte) {
		if a, ok := upgrade.Read[upgrade.Answer](b); ok {
			answers <- a
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for id, end := uint64(99), time.Now().Add(patience); ; id++ {
		if err := bus.Publish(remote.Upgrade("r"), fmt.Appendf(nil, `{"id":%d,"do":"give","from":"one","to":"three"}`, id)); err != nil {
			t.Fatal(err)
		}
		a := <-answers
		for a.ID != id { // an earlier one, of the verb, may have come late
			a = <-answers
		}
		goesOn()
		if a.Why == "three has not taken it within 6s" {
			break
		}
		if late++; time.Now().After(end) { // its log or its snapshot took too long
			t.Fatalf("the answer is %+v", a)
		}
	}
	stop()

	// What asks for nothing is not taken for an end of the world.
	if err := bus.Publish(remote.Upgrade("r"), []byte(`{"do":"give","from":"one","to":"two"}`)); err != nil {
		t.Fatal(err)
	}
	eventually(t, "it is refused", func() bool { return one.counted(remote.Malformed) == 1 || one.live.Exchange.Stopped() })
	goesOn()

	said, more, err := inTime()
	if err != nil || !more || !strings.HasPrefix(said, "Map 0: two has it after tick ") {
		t.Fatalf("%v, more %t, said %s\n", err, more, said)
	}
	if err := <-oneEnded; !errors.Is(err, ErrGiven) {
		t.Errorf("the first ended with %v", err)
	}
	if got := one.counted(worldsGiven) + 10*one.counted(worldsNotGiven); got != 21+10*late {
		t.Errorf("%d worlds were handed over, %d were not; want 1 and %d", got%10, got/10, 2+late)
	}
	if said, more, err := say(false); err != nil || !more || said != "Waiting for a gateway of next: gateway 1 is drained once there is one." {
		t.Errorf("%v, more %t, said %s", err, more, said)
	}

	// It is the same world, with another rate; also for one that begins later.
	given, err := one.live.World.AppendSnapshot(nil)
	if err != nil {
		t.Fatal(err)
	}
	since, err := two.Place.Since(ctx)
	if err != nil || since == 0 {
		t.Fatalf("the log goes on after tick %d, %v", since, err)
	}
	s, err := two.Place.Needed(ctx, math.MaxUint64)
	if err != nil || s.N != since || s.Header.Release != "next" || s.Before.Release != release.Name() {
		t.Fatalf("the log begins with %+v, %v", s, err)
	}
	w := worldspec.NewWorld(&s.Header, two.defs, new(metric.Table))
	if err := worldspec.RestoreWorld(w, s); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(s.State, given) {
		t.Error("what was kept is another world than the one that was handed over")
	}
	// A rate is a float of 4 bytes, and nothing else differs: 1 is 3F800000, 3 is 40400000.
	after, err := w.AppendSnapshot(nil)
	if err != nil || len(after) != len(given) {
		t.Fatalf("the world has %d bytes, and had %d, %v", len(after), len(given), err)
	}
	differs := make(map[int][2]byte)
	for i := range given {
		if given[i] != after[i] {
			differs[i] = [2]byte{given[i], after[i]}
		}
	}
	if len(differs) != 2 || !slices.Contains(slices.Collect(maps.Values(differs)), [2]byte{0x3F, 0x40}) || !slices.Contains(slices.Collect(maps.Values(differs)), [2]byte{0x80, 0x40}) {
		t.Errorf("with another rate %x differ", differs)
	}
	three := newReplicaOf(t, bus, stream, true)
	three.header.Release, three.header.XPRate = "next", 3
	three.anewly()
	threeEnded := run(three, "three")
	at := two.live.Exchange.Newest()
	eventually(t, "it follows", func() bool { return three.live.Exchange.Newest() > at+4*three.second() })
	old := newReplicaOf(t, bus, stream, true)
	if err := old.Run(ctx); err == nil || !strings.Contains(err.Error(), "is of a world with another Release, by next") {
		t.Errorf("a process of the release before ended with %v", err)
	}
	cancel()
	if err := errors.Join(<-twoEnded, <-threeEnded); err != nil {
		t.Error(err)
	}
	if n := three.counted(worldsDiffer); n != 0 {
		t.Errorf("the standby of the next release differed %d times\n%s", n, three.log.String())
	}
}

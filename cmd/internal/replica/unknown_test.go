package replica

import (
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"testing"

	"muster/net/replication/recording"
	"muster/net/replication/streamlog"
)

// headerEntry is an entry by which a log goes on by a header, as a release writes it that has a setting more. docs/adr/0031 has the bytes of the entry, docs/adr/0014 those of the header.
func headerEntry(log, writer, since uint64, header string) []byte {
	b := []byte{2, 7} // version; first, last, header
	for _, n := range []uint64{log, writer, 1, since} {
		b = binary.LittleEndian.AppendUint64(b, n)
	}
	b = append(b, "muster recording 2\n"...)
	table := crc32.MakeTable(crc32.Castagnoli)
	length := binary.LittleEndian.AppendUint32(nil, uint32(1+len(header)))
	b = binary.LittleEndian.AppendUint32(append(b, length...), crc32.Checksum(length, table))
	body := append([]byte{1}, header...)
	return append(binary.LittleEndian.AppendUint32(b, crc32.Checksum(body, table)), body...)
}

// A world that goes on in a process of another release, which has a setting that this one does not know, goes on without its standby, as with one that has none; a successor waits for it; and
// a process of the same release is told of the setting.
func TestUnknownSetting(t *testing.T) {
	t.Parallel()
	one := startLeader(t)
	one.step(20)
	one.logHas(t)
	two := newReplicaOf(t, one.bus, one.stream, true)
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	last, err := one.stream.Last(ctx, two.Place.Subject)
	if err != nil {
		t.Fatal(err)
	}
	read, done := context.WithCancel(ctx)
	defer done()
	if err := one.stream.Follow(read, two.Place.Subject, 0, func(m streamlog.Message) {
		if err := two.take(m); err != nil {
			t.Error(err)
		}
		if m.Number == last.Number {
			done()
		}
	}); err != nil || two.tick == 0 {
		t.Fatalf("the second is at tick %d: %v", two.tick, err)
	}
	const another = `{"Release":"another","StepMs":7,"Moons":2}`
	goesOn := streamlog.Message{Number: last.Number + 1, Body: headerEntry(two.follower.Log, two.follower.Writer+1, two.tick, another)}
	var moved *movedError
	if err := two.take(goesOn); !errors.As(err, &moved) || moved.by.Release != "another" {
		t.Errorf("a standby ends with %v", err)
	}

	three := newReplicaOf(t, one.bus, one.stream, false)
	begins := func(header string) error {
		three.follower = streamlog.Follower{}
		return three.take(streamlog.Message{Number: 1, Body: headerEntry(1, 1, 0, header)})
	}
	three.successor = true
	three.header.Release = "this one"
	world := `"Toolchain":"` + three.header.Toolchain + `","Seed":1,"Creatures":20,"Start":"one","StepMs":25,"Strikes":10,"Reclaim":"anywhere","XPRate":1,"Segment":1`
	if err := begins(`{"Release":"this one","ShareMs":200,` + world + `}`); err != nil {
		t.Errorf("the log of this release: %v", err)
	}
	var unknown *recording.SettingError
	if err := begins(`{"Release":"this one","ShareMs":200,"Moons":2,` + world + `}`); !errors.As(err, &unknown) || !errors.Is(err, recording.ErrFormat) {
		t.Errorf("the log of this release with another setting: %v", err)
	}
	if err := begins(`{"Release":"another","ShareMs":200,"Moons":2,` + world + `}`); !errors.Is(err, errWaits) {
		t.Errorf("a successor, of the log of another release: %v", err)
	}
	if err := begins(`{"Release":"this one",` + world + `}`); err == nil {
		t.Error("a log whose digests are of other ticks is followed")
	}
}

// A successor that begins when the world has gone on in such a process waits, too.
func TestUnknownSettingAtTheBeginning(t *testing.T) {
	t.Parallel()
	one := startLeader(t)
	one.step(20)
	one.logHas(t)
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	writer := one.live.Log.(*streamlog.Writer)
	s, err := writer.Settle(ctx)
	if err == nil {
		err = writer.Keep(ctx, &s)
	}
	if err == nil {
		_, err = one.stream.Append(ctx, one.Place.Subject, headerEntry(s.Log, s.Writer+1, s.N, `{"Release":"another","StepMs":25,"Moons":2}`), s.From)
	}
	if err != nil {
		t.Fatal(err)
	}
	two := newReplicaOf(t, one.bus, one.stream, false)
	two.successor = true
	two.header.Seed, two.header.Creatures, two.header.Start, two.header.Reclaim, two.header.XPRate, two.header.Strikes = 0, 0, "", "", 0, 0 // as that header has them
	if _, err := two.restore(ctx); !errors.Is(err, errWaits) {
		t.Errorf("it begins with %v", err)
	}
}

package systems

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/snapshot"
	"muster/internal/metric"
	"muster/net/protocol/update"
	"muster/net/replication/frame"
	"muster/systems/reload"
)

// ErrSnapshot is the error for a snapshot of a world with other parts, or for other bytes.
var ErrSnapshot = errors.New("systems: not a snapshot of such a world")

// A snapshot begins with a list of its parts, as JSON: the shape of each component, each system and each shared
// value, in the order in which their snapshots follow.
type partShape struct {
	Name  string
	Shape uint64
}

// given reports types that a snapshot leaves out, because a world is made with them: ways to access it, templates,
// counters. The caller keeps what else is in a Config.
func given(t reflect.Type) bool {
	switch t {
	case reflect.TypeFor[reflect.Type](), reflect.TypeFor[metric.Table](), reflect.TypeFor[metric.Counter](),
		reflect.TypeFor[update.Layout](), reflect.TypeFor[defs.World](), reflect.TypeFor[defs.Map]():
		return true
	case reflect.TypeFor[frame.Inbox](), reflect.TypeFor[frame.Frame](), // empty between two ticks
		reflect.TypeFor[update.Writer](), reflect.TypeFor[update.Items](), reflect.TypeFor[update.Words]():
		return true
	}
	return ecs.Reaches(t)
}

// lens is that of all worlds. It looks up each type once, which takes 10 ms for all that a world is made of.
var lens = snapshot.NewLens(given)

// A whole is the whole state of a world.
type whole struct {
	shape []partShape
	roots []any // behind the components

	text               []byte // shape, as JSON
	archetypes, values int    // that the world had
}

func (w *World) whole() *whole {
	all := new(whole)
	all.shape = []partShape{{"order of bytes", binary.NativeEndian.Uint64([]byte("12345678"))}}
	add := func(name string, of reflect.Type) {
		all.shape = append(all.shape, partShape{name, lens.Shape(of)})
	}
	for i, k := range w.ecs.Archetypes() {
		for _, t := range k.Parts() {
			add(fmt.Sprintf("component %s of kind %d", t.Name(), i), t)
		}
	}
	root := func(name string, at any) {
		add(name, reflect.TypeOf(at).Elem())
		all.roots = append(all.roots, at)
	}
	for _, at := range w.ecs.Values() {
		root(reflect.TypeOf(at).Elem().String(), at)
	}
	w.plan.Kept(func(name string, at any) { root("system "+name, at) })
	root("tick", &w.tick)
	return all
}

// AppendSnapshot appends the state of the world between two ticks, for Restore. It takes milliseconds, and much
// memory: some kilobytes for each player.
func (w *World) AppendSnapshot(b []byte) ([]byte, error) {
	b, rest, err := w.appendSnapshot(b, w.ecs.AppendTables)
	if err == nil {
		err = rest.Finish(b)
	}
	if err != nil {
		return nil, err
	}
	return b, nil
}

// PrepareSnapshots takes a snapshot and discards it, so that the world does not stand still longer for its first one than for others: types are looked up then, large components are
// copied once, and it is known how much room is needed. No snapshot may be being written.
func (w *World) PrepareSnapshots() error {
	_, _, err := w.CopySnapshot(nil)
	return err
}

// CopySnapshot is that part of AppendSnapshot for which the world has to stand still. What it appends are not all bytes of the snapshot, which is in the
// parts that parts returns, one after the other, for some of which the world has the memory. Any goroutine may call that, once, and read them while the
// world goes on, until CopySnapshot is called again.
func (w *World) CopySnapshot(b []byte) (copied []byte, parts func() ([][]byte, error), err error) {
	var large ecs.LargeRows
	copied, rest, err := w.appendSnapshot(b, func(b []byte) []byte {
		b, large = w.ecs.CopyTables(b)
		return b
	})
	if err != nil {
		return nil, nil, err
	}
	return copied, func() ([][]byte, error) {
		if err := rest.Finish(copied); err != nil {
			return nil, err
		}
		return large.Parts(copied), nil
	}, nil
}

// appendSnapshot appends a snapshot that is complete after Finish of the rest, with what tables appends of entities and components.
func (w *World) appendSnapshot(b []byte, tables func(b []byte) []byte) ([]byte, *snapshot.Rest, error) {
	all := w.snapshotParts()
	b = tables(append(binary.AppendUvarint(b, uint64(len(all.text))), all.text...))
	before := len(b)
	a := lens.Append(b)
	for i, at := range all.roots {
		if err := a.Value(at); err != nil {
			return nil, nil, fmt.Errorf("systems: %s has no snapshot: %w", all.shape[len(all.shape)-len(all.roots)+i].Name, err)
		}
	}
	b, rest := a.Copied()
	w.behind = len(b) - before
	return b, rest, nil
}

// SnapshotBytes is about how many bytes CopySnapshot appends now: as much as the last one behind its components, and a quarter more, at least
// as much as a world of no entities.
func (w *World) SnapshotBytes() int {
	const least = 4 << 20
	return w.ecs.TableBytes() + max(w.behind+w.behind/4, least)
}

// snapshotParts is the whole state of the world, whose parts stay where they are. Only what they are is kept, not how large they are.
func (w *World) snapshotParts() *whole {
	if w.parts != nil && w.parts.archetypes == len(w.ecs.Archetypes()) && w.parts.values == len(w.ecs.Values()) {
		return w.parts
	}
	all := w.whole()
	text, err := json.Marshal(all.shape)
	if err != nil {
		panic(err) // names and numbers
	}
	all.text, all.archetypes, all.values = text, len(w.ecs.Archetypes()), len(w.ecs.Values())
	w.parts = all
	return all
}

// Restore gives a new world the state in a snapshot of another one with the same Config. If it fails, the world is
// unusable; the error is ErrSnapshot if the program that took the snapshot has other components, systems or shared
// values, and names one of them.
func (w *World) Restore(b []byte) error {
	n, size := binary.Uvarint(b)
	if size <= 0 || n > uint64(len(b)-size) {
		return ErrSnapshot
	}
	var shape []partShape
	if err := json.Unmarshal(b[size:size+int(n)], &shape); err != nil {
		return fmt.Errorf("%w: %w", ErrSnapshot, err)
	}
	all := w.whole()
	if err := sameShape(shape, all.shape); err != nil {
		return err
	}
	rest, err := w.ecs.RestoreTables(b[size+int(n):])
	if err != nil {
		return fmt.Errorf("%w: %w", ErrSnapshot, err)
	}
	r := lens.Restore(rest)
	for i, at := range all.roots {
		if err := r.Value(at); err != nil {
			return fmt.Errorf("%w: %s: %w", ErrSnapshot, all.shape[len(all.shape)-len(all.roots)+i].Name, err)
		}
	}
	if n := len(r.Rest()); n > 0 {
		return fmt.Errorf("%w: %d bytes follow", ErrSnapshot, n)
	}
	if err := reload.Restore(w.ecs); err != nil {
		return fmt.Errorf("%w: %w", ErrSnapshot, err)
	}
	return nil
}

// sameShape returns an error with a part whose shape in a snapshot differs from that in a world.
func sameShape(snapshot, world []partShape) error {
	for i := range max(len(snapshot), len(world)) {
		switch {
		case i == len(world) || i < len(snapshot) && !has(world, snapshot[i].Name):
			return fmt.Errorf("%w: only the snapshot has %s", ErrSnapshot, snapshot[i].Name)
		case i == len(snapshot) || !has(snapshot, world[i].Name):
			return fmt.Errorf("%w: the snapshot has no %s", ErrSnapshot, world[i].Name)
		case snapshot[i].Name != world[i].Name:
			return fmt.Errorf("%w: %s stands where the snapshot has %s", ErrSnapshot, world[i].Name, snapshot[i].Name)
		case snapshot[i].Shape != world[i].Shape:
			return fmt.Errorf("%w: the snapshot has another %s", ErrSnapshot, world[i].Name)
		}
	}
	return nil
}

func has(parts []partShape, name string) bool {
	for i := range parts {
		if parts[i].Name == name {
			return true
		}
	}
	return false
}

package realm

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"muster/cmd/internal/instancelog"
	"muster/cmd/internal/storage"
	"muster/cmd/internal/worldspec"
	"muster/components/defs"
	"muster/net/gateway/instances"
	"muster/net/replication/worldlog"
	"muster/systems"
)

// instanceDropped counts instances of the server before that do not go on, as there may be fewer now.
const instanceDropped = "instance.dropped"

// keptInstances are the instances of a server that keeps them.
type keptInstances struct {
	journal *instancelog.Log // nil: they end with the process
	kept    instances.Kept   // that go on
	worlds  map[uint32]instanceWorld
}

// An instanceWorld is the world of an instance.
type instanceWorld struct {
	*systems.World
	log    *worldlog.Log // nil: it is not kept
	goesOn bool          // from what the server before has kept
}

// continueInstances makes the worlds of the instances that the server before has kept, which run later, and removes what belongs to none.
func (r *Realm) continueInstances() (err error) {
	worlds, k := r.worldFolder(), &r.kept
	r.Metric.Declare(instanceDropped)
	k.journal, k.kept, err = instancelog.Open(instancelog.Path(worlds), r.Metric, r.Log)
	if errors.Is(err, instancelog.ErrDamaged) {
		to, failed := instancelog.SetAside(worlds, worldlog.Refused)
		if failed != nil {
			return errors.Join(err, failed)
		}
		r.Log.Error("it is not known which instances there were: none of them goes on", "err", err, "was", to)
		if k.journal, k.kept, err = instancelog.Open(instancelog.Path(worlds), r.Metric, r.Log); err == nil {
			err = k.passOver(to)
		}
	}
	if err != nil {
		return err
	}
	folders, err := worldlog.Instances(worlds)
	for _, number := range folders {
		if _, ok := k.kept.Instances[number]; ok {
			continue
		}
		r.Log.Warn("the log of an instance that is none is removed: the server has ended while it was made or removed", "instance", number)
		err = errors.Join(err, worldlog.RemoveInstance(worlds, number))
	}
	if err != nil {
		return err
	}
	k.worlds = make(map[uint32]instanceWorld)
	for _, number := range slices.Sorted(maps.Keys(k.kept.Instances)) {
		if err := r.continueInstance(number, slices.Contains(folders, number)); err != nil {
			return fmt.Errorf("instance %d: %w", number, err)
		}
	}
	return nil
}

// passOver has no new instance have a number of those that were set aside in a folder.
func (k *keptInstances) passOver(folder string) error {
	numbers, err := worldlog.Instances(folder)
	if err == nil && len(numbers) > 0 {
		last := instances.Change{Kind: instances.IsLast, Number: slices.Max(numbers)}
		k.kept.Apply(last)
		k.journal.Note(last)
	}
	return err
}

// continueInstance makes the world of an instance that the server before has kept, without its players, if its map has instances and there is room for it.
func (r *Realm) continueInstance(number uint32, hasFolder bool) error {
	k := &r.kept
	id := k.kept.Instances[number].Map
	m := r.Defs.Map(id)
	if m == nil || !m.Instanced {
		r.Log.Error("an instance does not go on: its map has none", "instance", number, "map", id)
		if hasFolder { // before it is over: what belongs to no instance is removed
			if _, err := r.Logs.SetInstanceAside(number); err != nil {
				return err
			}
		}
		k.drop(number)
		return nil
	}
	header := r.headerOf(m, number)
	world, log, err := r.Logs.ContinueInstance(number, &header, func() *systems.World { return worldspec.NewWorld(&header, r.Defs, r.Metric) })
	if err != nil {
		return err
	}
	if len(k.worlds) >= r.slots() {
		r.Metric.Count(instanceDropped)
		r.Log.Warn("an instance does not go on: there are as many as there may be", "instance", number, "map", id, "most", r.slots())
		k.drop(number)
		return r.Logs.DiscardInstance(number, log)
	}
	k.worlds[number] = instanceWorld{world, log, true}
	return nil
}

// drop forgets an instance.
func (k *keptInstances) drop(number uint32) {
	delete(k.kept.Instances, number)
	k.journal.Note(instances.Change{Kind: instances.IsOver, Number: number})
}

// restoreInstances runs the instances that were kept.
func (r *Realm) restoreInstances(ctx context.Context) error {
	if own, ok := r.instances.(*instances.Instances); ok && len(r.kept.worlds) > 0 {
		return own.Restore(ctx)
	}
	return nil
}

// takeInstance is the world of an instance that goes on, or a new one.
func (r *Realm) takeInstance(m *defs.Map, number uint32) (w instanceWorld, err error) {
	if w, ok := r.kept.worlds[number]; ok {
		delete(r.kept.worlds, number)
		return w, nil
	}
	header := r.headerOf(m, number)
	w.World = worldspec.NewWorld(&header, r.Defs, r.Metric)
	if r.Logs != nil {
		w.log, err = r.Logs.NewInstance(number, &header, w.World)
	}
	return w, err
}

// discardInstance removes what is kept of an instance that is no more.
func (r *Realm) discardInstance(number uint32, log *worldlog.Log) {
	if log == nil {
		return
	}
	if err := r.Logs.DiscardInstance(number, log); err != nil {
		r.Log.Error("what is kept of an instance is not removed", "instance", number, "err", err)
	}
}

// endInstanceLog closes the file of instances, which have ended.
func (r *Realm) endInstanceLog() {
	if r.kept.journal == nil {
		return
	}
	if err := r.kept.journal.Close(); err != nil {
		r.Log.Error("the file of instances is not closed", "err", err)
	}
}

// worldFolder is where worlds are kept.
func (r *Realm) worldFolder() string { return storage.WorldFolder(r.config.Data, r.config.Database) }

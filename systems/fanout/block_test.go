package fanout

import (
	"reflect"
	"testing"
	"unsafe"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/internal/metric"
	"muster/net/replication/change"
)

// The words of an entity stand in the order of its parts, by which a layout reads them.
func TestWordsFollowParts(t *testing.T) {
	w := ecs.NewWorld(1)
	ecs.Share(w, new(defs.Map))
	ecs.Share(w, new(defs.World))
	ecs.Share(w, new(metric.Table))
	ecs.Share(w, new(ecs.Slab[components.Auras]))
	ecs.Share(w, change.NewLog(w))
	b := new(blockWriter)
	ecs.Bind(w, b)
	check := func(e ecs.Entity, parts []reflect.Type) {
		b.loadWords(e)
		at := map[reflect.Type]unsafe.Pointer{
			reflect.TypeFor[components.Object]():           unsafe.Pointer(b.objects.Get(e)),
			reflect.TypeFor[components.Vitals]():           unsafe.Pointer(b.vitals.Get(e)),
			reflect.TypeFor[components.Unit]():             unsafe.Pointer(b.units.Get(e)),
			reflect.TypeFor[components.Stance]():           unsafe.Pointer(b.stances.Get(e)),
			reflect.TypeFor[components.Target]():           unsafe.Pointer(b.targets.Get(e)),
			reflect.TypeFor[components.Stats]():            unsafe.Pointer(b.stats.Get(e)),
			reflect.TypeFor[components.PlayerAppearance](): unsafe.Pointer(b.appearances.Get(e)),
			reflect.TypeFor[components.VisibleItems]():     unsafe.Pointer(b.visibleItems.Get(e)),
			reflect.TypeFor[components.Progress]():         unsafe.Pointer(b.progress.Get(e)),
			reflect.TypeFor[components.Carried]():          unsafe.Pointer(b.carried.Get(e)),
		}
		for i, part := range parts {
			words := b.words[i]
			if unsafe.Pointer(unsafe.SliceData(words)) != at[part] || uintptr(len(words))*4 != part.Size() {
				t.Errorf("words %d are not those of %v", i, part)
			}
		}
	}
	creature := ecs.NewArchetype(w, append(components.CreatureParts(), ecs.Of[components.CreatureImage]()...)...)
	check(creature.Spawn(), components.CreatureParts())
	player := ecs.NewArchetype(w, append(components.PlayerParts(), ecs.Of[components.PlayerImage]()...)...)
	check(player.Spawn(), components.PlayerParts())
	if n := len(components.PlayerParts()); n != len(b.words) {
		t.Errorf("a player has %d parts, there is room for %d", n, len(b.words))
	}
}

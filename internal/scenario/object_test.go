package scenario

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"muster/components"
	"muster/components/defs"
)

// An object is the spawn point of a game object, which is of a kind of its own.
type object struct {
	template defs.GameObject
	spawn    defs.ObjectSpawn
	loot     []defs.LootEntry
}

// firstObject is the entry of the first game object.
const firstObject = 201

// readObject reads "Gate of 0 at 4,0 facing 1.5 with 2=2000 has Tooth 3 and 7 copper returns after 3s".
func (s *script) readObject(words []string) error {
	entry := uint32(firstObject + len(s.objects))
	o := object{
		template: defs.GameObject{Entry: entry, DisplayID: 31, Size: 1, Faction: 35},
		spawn:    defs.ObjectSpawn{ID: 9000 + entry, Entry: entry, Parent: [4]float32{3: 1}, State: components.GameObjectReady, Progress: 100},
	}
	kind, err := strconv.ParseUint(after(words, "of"), 10, 8)
	if err != nil {
		return fmt.Errorf("no type: %q", words)
	}
	o.template.Name, o.template.Type = words[0], uint8(kind)
	at, err := point(after(words, "at"))
	if err != nil {
		return err
	}
	o.spawn.X, o.spawn.Y, o.spawn.Z = at.x, at.y, at.z
	turn, _ := strconv.ParseFloat(after(words, "facing"), 64)
	o.spawn.O, o.spawn.Rotation = float32(turn), [4]float32{2: float32(math.Sin(turn / 2)), 3: float32(math.Cos(turn / 2))}
	for _, word := range words {
		index, value, is := strings.Cut(word, "=")
		i, _ := strconv.Atoi(index)
		if v, err := strconv.ParseUint(value, 0, 32); is && index == "flags" {
			o.template.Flags = uint32(v)
		} else if is && err == nil {
			o.template.Data[i] = uint32(v)
		}
	}
	if back := after(words, "after"); back != "" {
		d, err := time.ParseDuration(back)
		if err != nil {
			return err
		}
		o.spawn.RespawnMs = uint32(d / time.Millisecond)
	}
	if _, has, ok := strings.Cut(strings.Join(words, " "), " has "); ok {
		var c creature
		if err := c.has(strings.Fields(has)); err != nil {
			return err
		}
		o.loot, o.template.MinMoney, o.template.MaxMoney, o.template.LootID = c.loot, c.copper, c.copper, entry
	}
	s.objects = append(s.objects, o)
	return nil
}

// furnish puts the game objects of the script on a map.
func (p *play) furnish(d *defs.World, m *defs.Map) {
	for i := range p.script.objects {
		o := &p.script.objects[i]
		d.GameObjects = append(d.GameObjects, o.template)
		d.Loots = append(d.Loots, defs.Loot{ID: o.template.Entry, Entries: o.loot})
		m.Objects = append(m.Objects, o.spawn)
		p.names[components.GameObjectGUID(o.template.Entry, 0x800000+uint32(i))] = o.template.Name
	}
}

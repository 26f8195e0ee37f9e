package content

// A linkRow is a row of linked_respawn: a creature that respawns only while another one lives.
type linkRow struct {
	GUID int64 `column:"guid" key:""`
	To   int64 `column:"linkedguid"`
	Kind int64 `column:"linktype" or:"0" key:""`
}

// creatureToCreature is the kind of links of which both ends are creatures.
//
// Source: CreatureLinkedRespawnType, CreatureData.h, AzerothCore.
const creatureToCreature = 0

// readLinks links the respawn of creatures to others. It comes after the spawn points.
//
// Source: ObjectMgr::LoadLinkedRespawn, AzerothCore.
func (l *loader) readLinks() error {
	return read(l, "linked_respawn", func(r *linkRow) string {
		from, ok := l.points[r.GUID]
		to, also := l.points[r.To]
		switch {
		case r.Kind != creatureToCreature:
			return "it links a game object"
		case !ok || !also:
			return "a creature of the link is not executed"
		case from.on != to.on:
			return "the creatures are on different maps"
		}
		from.on.Spawns[from.index].Linked = uint32(to.index) + 1
		return ""
	})
}

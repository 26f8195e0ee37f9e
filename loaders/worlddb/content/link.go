package content

import (
	"cmp"
	"slices"

	"muster/components/defs"
)

// A linkRow is a row of linked_respawn: a creature or a game object that respawns only while another one is there.
type linkRow struct {
	GUID int64 `column:"guid" key:""`
	To   int64 `column:"linkedguid"`
	Kind int64 `column:"linktype" or:"0" key:""`
}

// linkKinds say which ends of a link are game objects, by its kind.
//
// Source: CreatureLinkedRespawnType, CreatureData.h, AzerothCore.
var linkKinds = []struct{ of, to bool }{{false, false}, {false, true}, {true, true}, {true, false}}

// readLinks links the respawn of creatures and game objects to others. It comes after all spawn points.
//
// Source: ObjectMgr::LoadLinkedRespawn, AzerothCore.
func (l *loader) readLinks() error {
	point := func(guid int64, object bool) (p defs.SpawnPoint, on *place) {
		if object {
			at := l.objects[guid]
			return defs.ObjectPoint(uint32(at.index)), at.on
		}
		at := l.points[guid]
		return defs.SpawnPoint(at.index), at.on
	}
	return read(l, "linked_respawn", func(r *linkRow) string {
		if r.Kind < 0 || r.Kind >= int64(len(linkKinds)) {
			return "no link is of this kind"
		}
		of, on := point(r.GUID, linkKinds[r.Kind].of)
		to, also := point(r.To, linkKinds[r.Kind].to)
		switch {
		case on == nil || also == nil:
			return "what it links is not executed"
		case on != also:
			return "what it links is on different maps"
		}
		i, found := slices.BinarySearchFunc(on.Links, of, func(it defs.RespawnLink, p defs.SpawnPoint) int { return cmp.Compare(it.Of, p) })
		if found { // as there, the last counts
			on.Links[i].To = to
			l.unused("linked_respawn", "another row links the same")
			return ""
		}
		on.Links = slices.Insert(on.Links, i, defs.RespawnLink{Of: of, To: to})
		return ""
	})
}

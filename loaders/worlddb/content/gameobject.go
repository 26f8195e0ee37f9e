package content

import (
	"cmp"
	"math"
	"slices"

	"muster/components"
	"muster/components/defs"
)

// An objectTemplateRow is a row of gameobject_template. Faction, flags and money are there in CMaNGOS; the others have them in
// gameobject_template_addon.
type objectTemplateRow struct {
	Entry   int64   `column:"entry" key:""`
	Type    int64   `column:"type"`
	Display int64   `column:"displayid"`
	Name    string  `column:"name" or:""`
	Icon    string  `column:"iconname" or:""`
	Caption string  `column:"castbarcaption" or:""`
	Extra   string  `column:"unk1" or:""`
	Size    float64 `column:"size" or:"1"`
	Faction int64   `column:"faction" or:"0"`
	Flags   int64   `column:"flags" or:"0"`
	AI      string  `column:"ainame" or:"SmartGameObjectAI"`
	MinGold int64   `column:"mingold" or:"0"`
	MaxGold int64   `column:"maxgold" or:"0"`

	Data0  int64 `column:"data0" or:"0"`
	Data1  int64 `column:"data1" or:"0"`
	Data2  int64 `column:"data2" or:"0"`
	Data3  int64 `column:"data3" or:"0"`
	Data4  int64 `column:"data4" or:"0"`
	Data5  int64 `column:"data5" or:"0"`
	Data6  int64 `column:"data6" or:"0"`
	Data7  int64 `column:"data7" or:"0"`
	Data8  int64 `column:"data8" or:"0"`
	Data9  int64 `column:"data9" or:"0"`
	Data10 int64 `column:"data10" or:"0"`
	Data11 int64 `column:"data11" or:"0"`
	Data12 int64 `column:"data12" or:"0"`
	Data13 int64 `column:"data13" or:"0"`
	Data14 int64 `column:"data14" or:"0"`
	Data15 int64 `column:"data15" or:"0"`
	Data16 int64 `column:"data16" or:"0"`
	Data17 int64 `column:"data17" or:"0"`
	Data18 int64 `column:"data18" or:"0"`
	Data19 int64 `column:"data19" or:"0"`
	Data20 int64 `column:"data20" or:"0"`
	Data21 int64 `column:"data21" or:"0"`
	Data22 int64 `column:"data22" or:"0"`
	Data23 int64 `column:"data23" or:"0"`
}

// An objectAddonRow is a row of gameobject_template_addon.
type objectAddonRow struct {
	Entry   int64 `column:"entry" key:""`
	Faction int64 `column:"faction" or:"0"`
	Flags   int64 `column:"flags" or:"0"`
	MinGold int64 `column:"mingold" or:"0"`
	MaxGold int64 `column:"maxgold" or:"0"`
}

// An objectSpawnAddonRow is a row of gameobject_addon: the rotation of what the object of a spawn point stands on.
type objectSpawnAddonRow struct {
	GUID int64   `column:"guid" key:""`
	X    float64 `column:"parent_rotation0 path_rotation0" or:"0"`
	Y    float64 `column:"parent_rotation1 path_rotation1" or:"0"`
	Z    float64 `column:"parent_rotation2 path_rotation2" or:"0"`
	W    float64 `column:"parent_rotation3 path_rotation3" or:"1"`
}

// An objectRow is a row of gameobject.
type objectRow struct {
	GUID     int64   `column:"guid" key:""`
	Entry    int64   `column:"id"`
	Map      int64   `column:"map"`
	Masks    int64   `column:"spawnmask" or:"1"` // a bit for each difficulty
	Phases   int64   `column:"phasemask" or:"1"`
	X        float64 `column:"position_x"`
	Y        float64 `column:"position_y"`
	Z        float64 `column:"position_z" or:"0"`
	O        float64 `column:"orientation" or:"0"`
	R0       float64 `column:"rotation0" or:"0"`
	R1       float64 `column:"rotation1" or:"0"`
	R2       float64 `column:"rotation2" or:"0"`
	R3       float64 `column:"rotation3" or:"0"`
	Respawn  float64 `column:"spawntimesecs spawntimesecsmin" or:"0"`
	Progress int64   `column:"animprogress" or:"100"`
	State    int64   `column:"state" or:"1"`
}

// Why game objects are not executed.
const (
	noObjectType   = "clients end on its type"
	noTransport    = "transports are not executed"
	noObjectKind   = "its template is not there, or is not executed"
	onlySummoned   = "it spawns at the request of a script only"
	serverOnly     = "clients do not see it"
	noObjectAddons = "the game object is not executed"
)

// readObjects reads game objects, and where they are.
func (l *loader) readObjects() error {
	kinds, err := l.readObjectTemplates()
	if err != nil {
		return err
	}
	pooled := make(map[int64]bool) // that events do not change
	for guid := range l.events.objects {
		_, pooled[guid] = l.pools.objects.of[guid]
	}
	points := make(map[int64]*defs.ObjectSpawn)
	on := make(map[int64]uint32)
	var order []int64
	err = read(l, "gameobject", func(r *objectRow) string {
		x, y, z, o, ok := position(r.X, r.Y, r.Z, r.O)
		kind := kinds[r.Entry]
		switch {
		case kind == nil:
			return noObjectKind
		case r.Masks&normal == 0:
			return "its spawn mask is without the normal difficulty"
		case r.Phases&normal == 0:
			return "its phase mask is without phase 1"
		case !ok || r.Map < 0 || r.Map > math.MaxUint16:
			return offMap
		case l.maps[uint32(r.Map)] == nil:
			return noMap
		case r.Respawn < 0:
			return onlySummoned
		case kind.Type == defs.ObjectSpellFocus && kind.Data[3] == 1:
			return serverOnly
		case r.GUID < 0 || r.GUID > math.MaxUint32:
			return "its GUID has more than 32 bits"
		}
		if why := l.events.refuse(l.events.objects[r.GUID], pooled[r.GUID]); why != "" {
			return why
		}
		if why := l.pools.refuse(&l.pools.objects, l.events, r.GUID, uint32(r.Map)); why != "" {
			return why
		}
		turn, ok := unit(r.R0, r.R1, r.R2, r.R3)
		if !ok || turn[2] == 0 && turn[3] == 0 { // Source: GameObject::SetLocalRotation, AzerothCore
			turn = [4]float32{2: float32(math.Sin(float64(o) / 2)), 3: float32(math.Cos(float64(o) / 2))}
		}
		state := uint8(components.GameObjectReady)
		if r.State >= components.GameObjectActive && r.State <= components.GameObjectActiveAlternative {
			state = uint8(r.State)
		}
		points[r.GUID] = &defs.ObjectSpawn{
			ID: uint32(r.GUID), Entry: uint32(r.Entry), X: x, Y: y, Z: z, O: o, Rotation: turn, Parent: [4]float32{3: 1},
			State: state, Progress: uint8(min(max(r.Progress, 0), math.MaxUint8)), RespawnMs: respawnMs(r.Respawn),
		}
		on[r.GUID] = uint32(r.Map)
		order = append(order, r.GUID)
		return ""
	})
	if err != nil {
		return err
	}
	if err := read(l, "gameobject_addon", func(r *objectSpawnAddonRow) string {
		p, ok := points[r.GUID], false
		if p == nil {
			return noObjectAddons
		}
		if p.Parent, ok = unit(r.X, r.Y, r.Z, r.W); !ok {
			p.Parent = [4]float32{3: 1}
		}
		return ""
	}); err != nil {
		return err
	}
	for _, guid := range order {
		m := l.place(on[guid])
		l.objects[guid] = spawned{m, len(m.Objects)}
		l.pools.objects.join(guid, len(m.Objects))
		m.Objects = append(m.Objects, *points[guid])
	}
	l.pools.placeObjects(l)
	l.events.finishObjects(l, pooled)
	return nil
}

// readObjectTemplates reads the templates of game objects, by entry.
func (l *loader) readObjectTemplates() (map[int64]*defs.GameObject, error) {
	addons := make(map[int64]objectAddonRow)
	if err := read(l, "gameobject_template_addon", func(r *objectAddonRow) string {
		addons[r.Entry] = *r
		return ""
	}); err != nil {
		return nil, err
	}
	kinds := make(map[int64]*defs.GameObject)
	err := read(l, "gameobject_template", func(r *objectTemplateRow) string {
		switch {
		case r.Entry <= 0 || r.Entry > maxEntry:
			return "the entry has more than 24 bits, or is 0"
		case r.Type < 0 || r.Type >= defs.ObjectTypes:
			return noObjectType
		case r.Type == defs.ObjectTransport || r.Type == defs.ObjectMOTransport:
			return noTransport
		}
		a, ok := addons[r.Entry]
		if !ok {
			a = objectAddonRow{r.Entry, r.Faction, r.Flags, r.MinGold, r.MaxGold}
		}
		size := r.Size
		l.bound("gameobject_template", "size", &size, mostFactor, 1)
		o := &defs.GameObject{
			Entry: uint32(r.Entry), Type: uint8(r.Type), DisplayID: number(r.Display), Name: text(r.Name), Icon: text(r.Icon),
			Caption: text(r.Caption), Extra: text(r.Extra), Size: float32(size), Faction: number(a.Faction), Flags: number(a.Flags),
		}
		for i, v := range [...]int64{
			r.Data0, r.Data1, r.Data2, r.Data3, r.Data4, r.Data5, r.Data6, r.Data7, r.Data8, r.Data9, r.Data10, r.Data11,
			r.Data12, r.Data13, r.Data14, r.Data15, r.Data16, r.Data17, r.Data18, r.Data19, r.Data20, r.Data21, r.Data22, r.Data23,
		} {
			o.Data[i] = uint32(v) // some are signed
		}
		if o.Type == defs.ObjectChest {
			o.MinMoney, o.MaxMoney = number(a.MinGold), max(number(a.MinGold), number(a.MaxGold))
		}
		kinds[r.Entry] = o
		l.smartObjects[r.Entry] = r.AI == "SmartGameObjectAI"
		return ""
	})
	l.world.GameObjects = nil
	for _, o := range kinds {
		l.world.GameObjects = append(l.world.GameObjects, *o)
	}
	slices.SortFunc(l.world.GameObjects, func(a, b defs.GameObject) int { return cmp.Compare(a.Entry, b.Entry) })
	return kinds, err
}

// unit is a quaternion of length 1; ok is false if it is none.
func unit(x, y, z, w float64) (q [4]float32, ok bool) {
	length := math.Sqrt(x*x + y*y + z*z + w*w)
	if !(length > 1e-6) || math.IsInf(length, 0) {
		return q, false
	}
	return [4]float32{float32(x / length), float32(y / length), float32(z / length), float32(w / length)}, true
}

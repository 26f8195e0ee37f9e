package content

import (
	"cmp"
	"math"
	"slices"
	"time"

	"muster/components/defs"
)

// A gameEventRow is a row of game_event.
type gameEventRow struct {
	ID       int64  `column:"evententry entry" key:""`
	Start    string `column:"start_time" or:""`
	End      string `column:"end_time" or:""`
	Every    int64  `column:"occurence" or:"0"` // minutes
	For      int64  `column:"length" or:"0"`    // minutes
	Holiday  int64  `column:"holiday" or:"0"`
	Name     string `column:"description" or:""`
	Kind     int64  `column:"world_event" or:"0"`   // 0 if it has a calendar
	Schedule int64  `column:"schedule_type" or:"1"` // of CMaNGOS
}

// scheduleDate is the kind of schedule of CMaNGOS that begins on a date; the others follow the moon, or the week of a month.
//
// Source: GameEventScheduleType, GameEventMgr.h, CMaNGOS.
const scheduleDate = 1

// A gameEventTimeRow is a row of game_event_time, in which CMaNGOS has the dates of events.
type gameEventTimeRow struct {
	ID    int64  `column:"entry" key:""`
	Start string `column:"start_time" or:""`
	End   string `column:"end_time" or:""`
}

// An eventSpawnRow is a row of game_event_creature: a creature that is there during an event, or if that is negative, but then.
type eventSpawnRow struct {
	GUID  int64 `column:"guid" key:""`
	Event int64 `column:"evententry event" key:""`
}

// events are the game events of a database, and which spawn points they change.
type events struct {
	index   map[int64]uint32          // into World.GameEvents
	rows    map[int64][]eventSpawnRow // by GUID, of those whose event is there
	objects map[int64][]eventSpawnRow // and of game objects
}

// Why events and what they change are not executed, or in part.
const (
	noEvent      = "its event is not there"
	eventless    = "the creature is not executed"
	pooledEvent  = "its spawn point is of a pool, which chooses for itself"
	eventTooLong = "its times are too large"
	onRequest    = "it has no calendar: it begins and ends with .event start and .event stop"
	rowHoliday   = "the dates of its holiday are those of the row: no file of a client is read"
)

// readEvents reads the game events, and which creatures they bring and take away.
func (l *loader) readEvents() (*events, error) {
	e := &events{index: make(map[int64]uint32), rows: make(map[int64][]eventSpawnRow), objects: make(map[int64][]eventSpawnRow)}
	l.events = e
	times := make(map[int64]gameEventTimeRow)
	if err := read(l, "game_event_time", func(r *gameEventTimeRow) string {
		times[r.ID] = *r
		return ""
	}); err != nil {
		return nil, err
	}
	var part map[string]int64
	if l.src.Has("game_event") {
		part = l.of("game_event").Part
	}
	var all []defs.GameEvent
	if err := read(l, "game_event", func(r *gameEventRow) string {
		if at, ok := times[r.ID]; ok {
			r.Start, r.End = at.Start, at.End
			if r.Schedule != scheduleDate {
				u := l.of("game_event_time")
				u.Executed--
				u.Not["its event follows another schedule"]++
			}
		}
		if r.ID <= 0 || r.ID > math.MaxUint32 {
			return "0 and less are numbers of no event"
		}
		if r.Every > math.MaxUint32 || r.For > math.MaxUint32 {
			return eventTooLong
		}
		event := defs.GameEvent{ID: uint32(r.ID), Name: r.Name, Holiday: uint32(r.Holiday)}
		var ok bool
		if event.Calendar, ok = calendar(r); !ok {
			if event.World = r.Kind >= worldEvent && r.Kind < internalEvent; !event.World {
				part[onRequest]++
			}
		} else if r.Holiday != 0 {
			part[rowHoliday]++
		}
		all = append(all, event)
		return ""
	}); err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b defs.GameEvent) int { return cmp.Compare(a.ID, b.ID) })
	for i := range all {
		e.index[int64(all[i].ID)] = uint32(i)
	}
	l.world.GameEvents = all
	if err := l.readPhases(e); err != nil {
		return nil, err
	}
	for _, of := range []struct {
		table string
		rows  map[int64][]eventSpawnRow
	}{{"game_event_creature", e.rows}, {"game_event_gameobject", e.objects}} {
		rows := of.rows
		if err := read(l, of.table, func(r *eventSpawnRow) string {
			if _, ok := e.index[max(r.Event, -r.Event)]; !ok {
				if r.Event > 0 {
					rows[r.GUID] = append(rows[r.GUID], *r)
				}
				return noEvent
			}
			rows[r.GUID] = append(rows[r.GUID], *r)
			return ""
		}); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// The kinds of events whose dates are not read: those that go through phases, from the first that one may be in, and those that only other code begins.
//
// Source: GameEventState, GameEventMgr.h, AzerothCore.
const (
	worldEvent    = 1
	internalEvent = 5
)

// A prerequisiteRow is a row of game_event_prerequisite: a world event begins when another is over.
type prerequisiteRow struct {
	ID    int64 `column:"evententry" key:""`
	After int64 `column:"prerequisite_event" key:""`
}

// An eventConditionRow is a row of game_event_condition: what players do for a world event.
type eventConditionRow struct {
	ID    int64   `column:"evententry" key:""`
	Needs float64 `column:"req_num" or:"0"`
}

// readPhases reads what world events wait for.
func (l *loader) readPhases(e *events) error {
	const normal = "its event is no world event"
	world := func(id int64) *defs.GameEvent {
		i, ok := e.index[id]
		if !ok || !l.world.GameEvents[i].World {
			return nil
		}
		return &l.world.GameEvents[i]
	}
	if err := read(l, "game_event_prerequisite", func(r *prerequisiteRow) string {
		event := world(r.ID)
		switch _, known := e.index[r.After]; {
		case event == nil:
			return normal
		case !known:
			return noEvent
		}
		l.part("game_event_prerequisite", world(r.After) == nil, "what its event waits for is no world event: it begins with .event start alone")
		if !slices.Contains(event.After, uint32(r.After)) {
			event.After = append(event.After, uint32(r.After))
		}
		return ""
	}); err != nil {
		return err
	}
	for i := range l.world.GameEvents {
		slices.Sort(l.world.GameEvents[i].After)
	}
	return read(l, "game_event_condition", func(r *eventConditionRow) string {
		event := world(r.ID)
		if event == nil {
			return normal
		}
		l.part("game_event_condition", r.Needs > 0, "only quests count for it, and quests are not executed: its event lasts until .event stop")
		event.Needs += uint32(min(max(math.Ceil(r.Needs), 0), math.MaxUint16))
		return ""
	})
}

// An eventFlagsRow is a row of game_event_npcflag.
type eventFlagsRow struct {
	GUID  int64 `column:"guid" key:""`
	Event int64 `column:"evententry event" key:""`
	Flags int64 `column:"npcflag"`
}

// An eventLookRow is a row of game_event_model_equip, or of game_event_creature_data of CMaNGOS.
type eventLookRow struct {
	GUID     int64 `column:"guid" key:""`
	Event    int64 `column:"evententry event" key:""`
	Display  int64 `column:"modelid" or:"0"`
	Equipped int64 `column:"equipment_id" or:"0"`
}

// readEventLooks reads what creatures show during events. It comes after spawn points and equipment.
func (l *loader) readEventLooks(points map[int64]spawned, looks *looks) error {
	e := l.events
	at := func(guid, event int64, change func(*defs.EventLook)) string {
		index, known := e.index[event]
		point, ok := points[guid]
		switch {
		case !known:
			return noEvent
		case !ok:
			return eventless
		}
		all := &point.on.EventLooks
		key := defs.EventLook{Point: uint32(point.index), Event: index}
		i, found := slices.BinarySearchFunc(*all, key, func(a, b defs.EventLook) int {
			return cmp.Or(cmp.Compare(a.Point, b.Point), cmp.Compare(a.Event, b.Event))
		})
		if !found {
			*all = slices.Insert(*all, i, key)
		}
		change(&(*all)[i])
		return ""
	}
	if err := read(l, "game_event_npcflag", func(r *eventFlagsRow) string {
		flags := number(r.Flags)
		if executed := flags & executedServices; executed != flags {
			l.part("game_event_npcflag", executed != 0, "services that are not executed")
			if flags = executed; flags == 0 {
				return "its services are not executed"
			}
		}
		return at(r.GUID, r.Event, func(it *defs.EventLook) { it.NPCFlags |= flags })
	}); err != nil {
		return err
	}
	if err := l.readEventWares(points); err != nil {
		return err
	}
	return read(l, "game_event_model_equip", func(r *eventLookRow) string {
		if r.Display <= 0 && r.Equipped <= 0 {
			return "it changes nothing"
		}
		return at(r.GUID, r.Event, func(it *defs.EventLook) {
			it.Display = number(r.Display)
			if r.Equipped > 0 {
				spawn := &points[r.GUID].on.Spawns[it.Point]
				it.Armed, it.Items = true, looks.items[equipment{int64(spawn.Entry), r.Equipped}]
			}
		})
	})
}

// An eventWareRow is a row of game_event_npc_vendor.
type eventWareRow struct {
	Event    int64 `column:"evententry event" key:""`
	GUID     int64 `column:"guid" key:""`
	Slot     int64 `column:"slot" or:"0"`
	Item     int64 `column:"item" key:""`
	Max      int64 `column:"maxcount" or:"0"`
	Restock  int64 `column:"incrtime" or:"0"`
	Extended int64 `column:"extendedcost" or:"0"`
}

// readEventWares reads what vendors sell during events only.
func (l *loader) readEventWares(points map[int64]spawned) error {
	type row struct {
		defs.EventWare
		slot int64
	}
	var all []row
	err := read(l, "game_event_npc_vendor", func(r *eventWareRow) string {
		index, known := l.events.index[r.Event]
		point, ok := points[r.GUID]
		switch {
		case !known:
			return noEvent
		case !ok:
			return eventless
		case r.Extended != 0:
			return "it costs other things than money"
		case r.Item <= 0 || r.Item > maxItem || l.world.Item(uint32(r.Item)) == nil:
			return "its item is not there"
		case r.Max < 0, r.Max > math.MaxInt32, r.Restock < 0, r.Restock > math.MaxInt32, r.Max == 0 != (r.Restock == 0):
			return "it has a limit and no time after which there is more, or the reverse"
		}
		all = append(all, row{defs.EventWare{
			Entry: point.on.Spawns[point.index].Entry, Event: index, VendorItem: defs.VendorItem{Item: uint32(r.Item), Max: uint32(r.Max), RestockSec: uint32(r.Restock)},
		}, r.Slot})
		return ""
	})
	slices.SortStableFunc(all, func(a, b row) int {
		return cmp.Or(cmp.Compare(a.Entry, b.Entry), cmp.Compare(a.Event, b.Event), cmp.Compare(a.slot, b.slot), cmp.Compare(a.Item, b.Item))
	})
	l.world.EventWares = nil
	for i := range all {
		l.world.EventWares = append(l.world.EventWares, all[i].EventWare)
	}
	return err
}

// finishObjects gives maps the game objects that events change. It comes after those.
func (e *events) finishObjects(l *loader, pooled map[int64]bool) {
	for guid, rows := range e.objects {
		at, ok := l.objects[guid]
		for _, r := range rows {
			index, known := e.index[max(r.Event, -r.Event)]
			switch {
			case !known:
			case pooled[guid]:
				l.unused("game_event_gameobject", pooledEvent)
			case !ok:
				l.unused("game_event_gameobject", noObjectAddons)
			default:
				at.on.EventObjects = append(at.on.EventObjects, defs.EventSpawn{Point: uint32(at.index), Event: index, Away: r.Event < 0})
			}
		}
	}
	for _, on := range l.maps {
		slices.SortFunc(on.EventObjects, compareEventSpawns)
	}
}

func compareEventSpawns(a, b defs.EventSpawn) int {
	away := 0
	if a.Away != b.Away {
		if away = -1; a.Away {
			away = 1
		}
	}
	return cmp.Or(cmp.Compare(a.Point, b.Point), cmp.Compare(a.Event, b.Event), away)
}

// calendar is when an event is on; ok is false for one that begins on request alone.
//
// Source: GameEventMgr::LoadFromDB, AzerothCore; GameEventMgr::LoadFromDB, CMaNGOS.
func calendar(r *gameEventRow) (c defs.Calendar, ok bool) {
	start, begins := dateOf(r.Start)
	end, ends := dateOf(r.End)
	if r.Kind != 0 || r.Schedule != scheduleDate || r.Every <= 0 || r.For <= 0 || !begins || ends && end <= start {
		return defs.Calendar{ForMin: uint32(max(r.For, 0))}, false
	}
	return defs.Calendar{Start: start, End: end, EveryMin: uint32(r.Every), ForMin: uint32(r.For)}, true
}

// dateOf is a date and time of MySQL in Unix seconds, as if it were UTC; ok is false for NULL, and for a date that is none.
func dateOf(text string) (at int64, ok bool) {
	t, err := time.Parse(time.DateTime, text)
	if err != nil || t.Unix() <= 0 {
		return 0, false
	}
	return t.Unix(), true
}

// refuse says why a spawn point with these rows has nothing, "" if events do not keep it away for good.
func (e *events) refuse(rows []eventSpawnRow, pooled bool) string {
	brings, known := false, false
	for _, r := range rows {
		if r.Event > 0 {
			_, there := e.index[r.Event]
			brings, known = true, known || there
		}
	}
	switch {
	case brings && pooled:
		return "it is of a pool, and there during an event only"
	case brings && !known:
		return "it is there during an event only, and that is not there"
	}
	return ""
}

// finish gives maps what events change, and counts the rows that change nothing.
func (e *events) finish(l *loader, points map[int64]spawned, isPooled func(guid int64) bool) {
	if !l.src.Has("game_event_creature") {
		return
	}
	u := l.of("game_event_creature")
	move := func(n int, reason string) {
		u.Executed -= int64(n)
		u.Not[reason] += int64(n)
	}
	for guid, rows := range e.rows {
		rows = slices.DeleteFunc(rows, func(r eventSpawnRow) bool {
			_, there := e.index[max(r.Event, -r.Event)]
			return !there
		})
		at, ok := points[guid]
		switch {
		case len(rows) == 0:
		case isPooled(guid):
			move(len(rows), pooledEvent)
		case !ok:
			move(len(rows), eventless)
		default:
			for _, r := range rows {
				at.on.EventSpawns = append(at.on.EventSpawns,
					defs.EventSpawn{Point: uint32(at.index), Event: e.index[max(r.Event, -r.Event)], Away: r.Event < 0})
			}
		}
	}
	for _, on := range l.maps {
		slices.SortFunc(on.EventSpawns, compareEventSpawns)
	}
}

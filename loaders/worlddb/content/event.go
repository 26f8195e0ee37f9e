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
	index map[int64]uint32          // into World.GameEvents
	rows  map[int64][]eventSpawnRow // by GUID, of those whose event is there
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
	e := &events{index: make(map[int64]uint32), rows: make(map[int64][]eventSpawnRow)}
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
			part[onRequest]++
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
	return e, read(l, "game_event_creature", func(r *eventSpawnRow) string {
		if _, ok := e.index[max(r.Event, -r.Event)]; !ok {
			if r.Event > 0 {
				e.rows[r.GUID] = append(e.rows[r.GUID], *r)
			}
			return noEvent
		}
		e.rows[r.GUID] = append(e.rows[r.GUID], *r)
		return ""
	})
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

// refuse says why a spawn point has no creature, "" if events do not keep it away for good.
func (e *events) refuse(guid int64, pooled bool) string {
	brings, known := false, false
	for _, r := range e.rows[guid] {
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
		slices.SortFunc(on.EventSpawns, func(a, b defs.EventSpawn) int {
			away := 0
			if a.Away != b.Away {
				if away = -1; a.Away {
					away = 1
				}
			}
			return cmp.Or(cmp.Compare(a.Point, b.Point), cmp.Compare(a.Event, b.Event), away)
		})
	}
}

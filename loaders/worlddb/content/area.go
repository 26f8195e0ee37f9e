package content

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"muster/components/defs"
	"muster/loaders/dbc"
)

// An areaRow is a row of areatrigger, or of areatrigger_dbc: AreaTrigger.dbc of a client.
type areaRow struct {
	ID     int64   `column:"entry id" key:""`
	Map    int64   `column:"map mapid continentid"`
	X      float64 `column:"x"`
	Y      float64 `column:"y"`
	Z      float64 `column:"z"`
	Radius float64 `column:"radius" or:"0"`
	Length float64 `column:"length box_length" or:"0"`
	Width  float64 `column:"width box_width" or:"0"`
	Height float64 `column:"height box_height" or:"0"`
	O      float64 `column:"orientation box_yaw" or:"0"`
}

// A leadRow is a row of areatrigger_teleport.
type leadRow struct {
	ID        int64   `column:"id" key:""`
	Map       int64   `column:"target_map"`
	X         float64 `column:"target_position_x"`
	Y         float64 `column:"target_position_y"`
	Z         float64 `column:"target_position_z"`
	O         float64 `column:"target_orientation" or:"0"`
	Level     int64   `column:"required_level" or:"0"`      // CMaNGOS
	Item      int64   `column:"required_item" or:"0"`       // CMaNGOS
	Quest     int64   `column:"required_quest_done" or:"0"` // CMaNGOS
	Condition int64   `column:"condition_id" or:"0"`        // CMaNGOS
}

// Why areas lead nowhere.
const (
	noArea     = "where the area is, is not known: a file of the client says it"
	noLead     = "it leads nowhere, and has no script that is executed"
	noTarget   = "nothing lives on the map that it leads to"
	needsMore  = "players need an item, a quest or a condition for it"
	noAreaKind = "the area has no size"
)

// area is the area of a row, or why it is refused.
func (l *loader) area(r *areaRow) (t defs.Trigger, refused string) {
	at, ok := hub(r.Map, r.X, r.Y, r.Z, r.O)
	switch {
	case !ok || r.ID <= 0 || r.ID > math.MaxUint32:
		return t, offMap
	case l.maps[at.Map] == nil:
		return t, noMap
	case !(r.Radius > 0) && !(r.Length > 0 && r.Width > 0 && r.Height > 0):
		return t, noAreaKind
	}
	t = defs.Trigger{ID: uint32(r.ID), Map: at.Map, X: at.X, Y: at.Y, Z: at.Z, Radius: float32(min(amount(r.Radius), halfYards))}
	if t.Radius == 0 {
		side := func(v float64) float32 { return float32(min(amount(v), halfYards)) }
		t.Box = defs.Box{Length: side(r.Length), Width: side(r.Width), Height: side(r.Height), O: at.O}
	}
	return t, ""
}

// An areaScriptRow is a row of areatrigger_scripts.
type areaScriptRow struct {
	ID   int64  `column:"entry" key:""`
	Name string `column:"scriptname" or:""`
}

// smartTrigger is the name of the scripts of areas that are rows of smart_scripts.
//
// Source: AddSC_SmartScripts, SmartAI.cpp, AzerothCore.
const smartTrigger = "SmartTrigger"

// areas are those of a database and of the files of a client.
type areas struct {
	at     map[int64]defs.Trigger
	unused map[int64]string // table of an area that leads nowhere and has no script
	smart  map[int64]bool   // areas that have rows of smart_scripts, and whether one of these is executed
}

// readAreas has the areas that take players elsewhere. It comes after all that makes maps.
func (l *loader) readAreas() error {
	l.areas = &areas{make(map[int64]defs.Trigger), make(map[int64]string), make(map[int64]bool)}
	areas, unused := l.areas.at, l.areas.unused
	for _, table := range []string{"areatrigger_dbc", "areatrigger"} {
		if err := read(l, table, func(r *areaRow) string {
			t, refused := l.area(r)
			switch {
			case refused != "":
				return refused
			case unused[r.ID] != "":
				return "another table has the area, too"
			}
			areas[r.ID] = t
			unused[r.ID] = table
			return ""
		}); err != nil {
			return err
		}
	}
	if err := l.readFile(dbc.AreaTrigger, func(row dbc.Row) {
		r := areaRow{row[0].Int, row[1].Int, row[2].Float, row[3].Float, row[4].Float, row[5].Float, row[6].Float, row[7].Float, row[8].Float, row[9].Float}
		if t, refused := l.area(&r); refused == "" && unused[r.ID] == "" {
			areas[r.ID] = t
		}
	}); err != nil {
		return err
	}
	l.world.Triggers = slices.Clone(l.world.Triggers)
	err := read(l, "areatrigger_teleport", func(r *leadRow) string {
		area, known := areas[r.ID]
		to, ok := hub(r.Map, r.X, r.Y, r.Z, r.O)
		switch {
		case !known:
			return noArea
		case !ok:
			return offMap
		case l.maps[to.Map] == nil:
			return noTarget
		case r.Item != 0 || r.Quest != 0 || r.Condition != 0:
			return needsMore
		case l.world.Trigger(area.ID) != nil:
			return "the synthetic world has an area of that number"
		}
		l.part("areatrigger_teleport", r.Level > 1, "the level that it asks for")
		delete(unused, r.ID)
		area.To = to
		at, _ := slices.BinarySearchFunc(l.world.Triggers, area.ID, func(t defs.Trigger, id uint32) int { return cmp.Compare(t.ID, id) })
		l.world.Triggers = slices.Insert(l.world.Triggers, at, area)
		return ""
	})
	return errors.Join(err, read(l, "areatrigger_scripts", func(r *areaScriptRow) string {
		if _, known := areas[r.ID]; !known {
			return noArea
		}
		if r.Name != smartTrigger {
			return "its script is code of another server"
		}
		l.areas.smart[r.ID] = false
		return ""
	}))
}

// script gives an area a script, one more than whose index it is. It has a place in the world from now on, wherever it leads.
func (a *areas) script(w *defs.World, id int64, script uint32) {
	a.smart[id] = true
	delete(a.unused, id)
	at, found := slices.BinarySearchFunc(w.Triggers, uint32(id), func(t defs.Trigger, id uint32) int { return cmp.Compare(t.ID, id) })
	if !found {
		w.Triggers = slices.Insert(w.Triggers, at, a.at[id])
	}
	w.Triggers[at].Script = script
}

// countAreas moves areas without a use, and scripts without rows, to what is not executed. It comes after scripts.
func (l *loader) countAreas() error {
	for _, table := range l.areas.unused {
		l.of(table).Executed--
		l.of(table).Not[noLead]++
	}
	for _, executed := range l.areas.smart {
		if !executed {
			l.of("areatrigger_scripts").Executed--
			l.of("areatrigger_scripts").Not["no row of its script is executed"]++
		}
	}
	return nil
}

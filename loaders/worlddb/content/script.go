package content

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"muster/components/defs"
)

// A scriptRow is a row of smart_scripts.
type scriptRow struct {
	Of     int64 `column:"entryorguid" key:""`
	Source int64 `column:"source_type" key:""`
	ID     int64 `column:"id" key:""`
	Link   int64 `column:"link" or:"0" key:""`

	Event  int64 `column:"event_type"`
	Phases int64 `column:"event_phase_mask" or:"0"`
	Chance int64 `column:"event_chance" or:"100"`
	Flags  int64 `column:"event_flags" or:"0"`
	When1  int64 `column:"event_param1" or:"0"`
	When2  int64 `column:"event_param2" or:"0"`
	When3  int64 `column:"event_param3" or:"0"`
	When4  int64 `column:"event_param4" or:"0"`
	When5  int64 `column:"event_param5" or:"0"`
	When6  int64 `column:"event_param6" or:"-1"` // of later databases of AzerothCore alone

	Action int64 `column:"action_type"`
	Do1    int64 `column:"action_param1" or:"0"`
	Do2    int64 `column:"action_param2" or:"0"`
	Do3    int64 `column:"action_param3" or:"0"`
	Do4    int64 `column:"action_param4" or:"0"`
	Do5    int64 `column:"action_param5" or:"0"`
	Do6    int64 `column:"action_param6" or:"0"`

	Target int64   `column:"target_type"`
	Of1    int64   `column:"target_param1" or:"0"`
	Of2    int64   `column:"target_param2" or:"0"`
	Of3    int64   `column:"target_param3" or:"0"`
	Of4    int64   `column:"target_param4" or:"0"`
	X      float64 `column:"target_x" or:"0"`
	Y      float64 `column:"target_y" or:"0"`
	Z      float64 `column:"target_z" or:"0"`
	O      float64 `column:"target_o" or:"0"`

	Comment string `column:"comment" or:""`
}

// A RefusedScript is a row of smart_scripts that is not executed.
type RefusedScript struct {
	Of      int64  `json:"entryorguid"`
	Source  int64  `json:"source_type"`
	ID      int64  `json:"id"`
	Link    int64  `json:"link"`
	Event   int64  `json:"event_type"`
	Action  int64  `json:"action_type"`
	Target  int64  `json:"target_type"`
	Comment string `json:"comment,omitempty"`
	Why     string `json:"why"`
}

// ScriptUse is what becomes of the rows of a table of scripts.
type ScriptUse struct {
	Table            string // smart_scripts or creature_ai_scripts
	Loaded, Executed int64
	Refused          []RefusedScript             // in the order of the table
	Kinds            map[string]map[int64]ByKind // by event, action and target, or event and action1 to action3, and by kind
}

// ByKind counts the rows of a kind.
type ByKind struct{ Loaded, Executed int64 }

// The types of sources of scripts that are executed.
//
// Source: SmartScriptType, SmartScriptMgr.h, AzerothCore.
const (
	scriptOfCreature = 0
	scriptOfObject   = 1
	scriptOfArea     = 2
	scriptOfList     = 9
)

// The source of conditions of rows of scripts.
//
// Source: CONDITION_SOURCE_TYPE_SMART_EVENT, ConditionMgr.h, AzerothCore.
const conditionScript = 22

// A scriptKey is a script of a database.
type scriptKey struct{ of, source int64 }

// scripts are those of a database.
type scripts struct {
	loader *loader
	rows   map[scriptKey][]scriptRow
	why    map[scriptKey][]string // by row, why it is refused; "" if it is executed
	use    *ScriptUse
	ways   map[pathKey]uint32 // one more than the index of a path that scripts use
	forced bool               // ScriptEscortStart has 1 to walk and 2 to run, as in later databases of AzerothCore
}

// Why rows of scripts are refused.
const (
	noScriptEvent  = "events of this kind are not executed"
	noScriptAction = "actions of this kind are not executed"
	noScriptTarget = "targets of this kind are not executed"
	noScriptSource = "scripts of this source are not executed: only those of creatures, game objects, areas and timed action lists are"
	scriptNumber   = "a number of it is out of range"
)

// readScripts reads the rows of SmartAI, and gives creatures their scripts. It comes after templates and spawn points.
func (l *loader) readScripts() error {
	s := &scripts{
		loader: l, rows: make(map[scriptKey][]scriptRow), why: make(map[scriptKey][]string),
		ways: make(map[pathKey]uint32),
		use:  &ScriptUse{Table: "smart_scripts", Kinds: map[string]map[int64]ByKind{"event": {}, "action": {}, "target": {}}},
	}
	l.world.Scripts, l.world.ScriptLists, l.world.ScriptPaths, l.scripts = nil, nil, nil, s.use
	var ai *eventAI
	if !l.src.Has("smart_scripts") {
		if !l.src.Has("creature_ai_scripts") {
			return nil
		}
		var err error
		if ai, err = s.readEventAI(); err != nil {
			return err
		}
		*s.use = ScriptUse{Table: "creature_ai_scripts", Kinds: make(map[string]map[int64]ByKind)}
		s.make(ai)
		return nil
	}
	if err := l.readScriptPaths(); err != nil {
		return err
	}
	if err := read(l, "smart_scripts", func(r *scriptRow) string {
		key := scriptKey{r.Of, r.Source}
		s.rows[key] = append(s.rows[key], *r)
		s.forced = s.forced || defs.ScriptAction(r.Action) == defs.ScriptEscortStart && r.Do1 == 2
		return ""
	}); err != nil {
		return err
	}
	s.make(nil)
	return nil
}

// make makes scripts of the rows that are executed, and says what became of the rows, if they are not those of CMaNGOS of these.
func (s *scripts) make(ai *eventAI) {
	keys := slices.SortedFunc(maps.Keys(s.rows), func(a, b scriptKey) int { return cmp.Or(cmp.Compare(a.source, b.source), cmp.Compare(a.of, b.of)) })
	for _, key := range slices.Backward(keys) { // lists before the creatures that call them
		s.why[key] = s.refusals(key)
	}
	if ai != nil {
		ai.settle(s)
	}
	for _, key := range keys {
		s.add(key)
	}
	if ai != nil {
		ai.count(s.use)
	} else {
		s.count(keys)
	}
}

// refusals says of each row why it is refused.
func (s *scripts) refusals(key scriptKey) []string {
	rows := s.rows[key]
	why := make([]string, len(rows))
	for i := range rows {
		why[i] = s.refuse(key, i)
	}
	if !executedSource(key.source) {
		return why
	}
	// A row with event 61 happens when another one does that is executed.
	reached := make([]bool, len(rows))
	for i := range rows {
		if why[i] == "" && defs.ScriptEvent(rows[i].Event) != defs.ScriptLink {
			for n := i; n >= 0 && why[n] == "" && !reached[n]; n = next(rows, n) {
				reached[n] = true
			}
		}
	}
	for i := range rows {
		if why[i] == "" && !reached[i] {
			why[i] = "no row that is executed links to it"
		}
	}
	return why
}

// executedSource reports whether scripts of a source are executed.
func executedSource(source int64) bool {
	return source == scriptOfCreature || source == scriptOfObject || source == scriptOfArea || source == scriptOfList
}

// next is the index of the row that a row links to, -1 without one.
func next(rows []scriptRow, i int) int {
	if rows[i].Link == 0 || rows[i].Link == rows[i].ID {
		return -1
	}
	return slices.IndexFunc(rows, func(r scriptRow) bool { return r.ID == rows[i].Link && r.Event == int64(defs.ScriptLink) })
}

// refuse says why a row is refused, "" if it is not.
func (s *scripts) refuse(key scriptKey, i int) string {
	l, r := s.loader, &s.rows[key][i]
	if why := s.refuseSource(key); why != "" {
		return why
	}
	if i >= defs.MaxScriptRows {
		return fmt.Sprintf("its script has more than %d rows", defs.MaxScriptRows)
	}
	for _, n := range []int64{r.Event, r.Action, r.Target} {
		if n < 0 || n > math.MaxUint8 {
			return scriptNumber
		}
	}
	for _, n := range []int64{r.When1, r.When2, r.When3, r.When4, r.When5, r.Do1, r.Do2, r.Do3, r.Do4, r.Do5, r.Do6, r.Of1, r.Of2, r.Of3, r.Of4} {
		if n < 0 || n > math.MaxUint32 {
			return scriptNumber
		}
	}
	if r.ID < 0 || r.ID > math.MaxUint16 || r.Phases < 0 || r.Phases > 0xFFF || r.Chance < 0 || r.Chance > 100 || r.When6 < -1 || r.When6 > math.MaxUint32 {
		return scriptNumber
	}
	flags := defs.ScriptFlag(r.Flags)
	const whileCharmed = 0x200
	switch known := int64(defs.ScriptOnce | defs.ScriptDifficult | defs.ScriptKeeps | whileCharmed); {
	case flags&defs.ScriptDebug != 0:
		return "it happens in debug builds only"
	case r.Flags&^known != 0:
		return "it has a flag that is not executed"
	case flags&defs.ScriptDifficult != 0 && flags&defs.ScriptNormal == 0:
		return "it is of another difficulty than the normal one"
	case len(l.conditions.rows[conditionsOf(key, r)]) > 0 && (key.source == scriptOfList || defs.ScriptEvent(r.Event) == defs.ScriptLink):
		return "it happens under a condition, and in a timed action list or by a link"
	case !defs.ScriptEvent(r.Event).Executed():
		return noScriptEvent
	case !defs.ScriptAction(r.Action).Executed():
		return noScriptAction
	case !defs.ScriptTarget(r.Target).Executed():
		return noScriptTarget
	}
	if why := l.refuseEvent(r, key.source); why != "" {
		return why
	}
	if why := l.refuseTarget(r, key.source); why != "" {
		return why
	}
	if why := s.refuseAction(r); why != "" {
		return why
	}
	_, why := l.conditions.list(conditionsOf(key, r))
	return why
}

// refuseSource says why a row of a script is refused, whatever it does.
func (s *scripts) refuseSource(key scriptKey) string {
	l := s.loader
	switch {
	case key.source == scriptOfList && (key.of <= 0 || key.of > math.MaxUint32):
		return scriptNumber
	case key.source == scriptOfList:
	case key.source == scriptOfObject:
		return l.refuseObject(key.of)
	case key.source == scriptOfArea:
		return l.refuseArea(key.of)
	case key.source != scriptOfCreature:
		return noScriptSource
	case key.of > 0 && l.templates[key.of] == nil:
		return "its template is not there, or is not executed"
	case key.of > 0 && !l.smart[key.of]:
		return "the AIName of its template is not SmartAI"
	case key.of <= 0:
		at, ok := l.points[-key.of]
		if !ok {
			return "the creature is not executed"
		}
		if !l.smart[int64(at.on.Spawns[at.index].Entry)] {
			return "the AIName of its template is not SmartAI"
		}
	}
	return ""
}

// refuseObject says why the script of a game object is refused: of a template, or with a negative number of a spawn point.
func (l *loader) refuseObject(of int64) string {
	entry := of
	if of <= 0 {
		at, ok := l.objects[-of]
		if !ok {
			return "the game object is not executed"
		}
		entry = int64(at.on.Objects[at.index].Entry)
	}
	switch {
	case entry > maxEntry || l.world.GameObject(uint32(entry)) == nil:
		return noObjectKind
	case !l.smartObjects[entry]:
		return "the AIName of its template is not SmartGameObjectAI"
	}
	return ""
}

// refuseEvent says why a row is refused for what its event needs.
func (l *loader) refuseEvent(r *scriptRow, source int64) string {
	list := source == scriptOfList
	switch event := defs.ScriptEvent(r.Event); {
	case source == scriptOfObject && !ofObjects[event], source == scriptOfCreature && (event == defs.ScriptObjectState || event == defs.ScriptAreaEntered),
		source == scriptOfArea && event != defs.ScriptAreaEntered && event != defs.ScriptLink:
		return "scripts of this source have no such event"
	case event == defs.ScriptAreaEntered && r.When1 != 0 && r.When1 != r.Of:
		return "it is for another area"
	case list && event != defs.ScriptUpdateInCombat && event != defs.ScriptLink:
		return "rows of timed action lists have event 0"
	case event == defs.ScriptRespawn && r.When1 > 1:
		return "it is for a respawn in an area, and there are none"
	case event == defs.ScriptMovementInform && r.When1 != 0 && r.When1 != pointMotion:
		return "it is for a movement of another kind than to a point"
	case event == defs.ScriptGossipHello && r.When1 > 1 && source != scriptOfObject:
		return "it is for the use of a game object"
	case event == defs.ScriptGossipHello && r.When1 > 2:
		return scriptNumber
	case event == defs.ScriptNearCreature && r.When1 != 0:
		return "it is for a creature of a spawn point"
	case event == defs.ScriptDamaged && r.When5 != 0:
		return "it is for a share of health"
	case (event == defs.ScriptHasAura || event == defs.ScriptTargetBuffed || event == defs.ScriptFriendUnbuffed) && l.world.Spell(uint32(r.When1)) == nil:
		return noSpell
	case event == defs.ScriptTimedEvent && r.When1 > math.MaxUint16:
		return scriptNumber
	case (event == defs.ScriptSpellHit || event == defs.ScriptSpellHitTarget) && r.When1 != 0 && l.world.Spell(uint32(r.When1)) == nil:
		return noSpell
	}
	return ""
}

// ofObjects are the events of game objects.
//
// Source: SmartAIEventMask, SmartScriptMgr.h, AzerothCore at 012e4a4.
var ofObjects = map[defs.ScriptEvent]bool{
	defs.ScriptUpdateOutOfCombat: true, defs.ScriptRespawn: true, defs.ScriptSummonedUnit: true, defs.ScriptInit: true, defs.ScriptDataSet: true,
	defs.ScriptTimedEvent: true, defs.ScriptUpdate: true, defs.ScriptLink: true, defs.ScriptJustCreated: true, defs.ScriptGossipHello: true,
	defs.ScriptPhaseChange: true, defs.ScriptObjectState: true, defs.ScriptCounterSet: true,
	defs.ScriptSummonedUnitDies: true, defs.ScriptSummonDespawned: true, defs.ScriptSummonEvades: true,
}

// refuseTarget says why a row is refused for what its target needs.
func (l *loader) refuseTarget(r *scriptRow, source int64) string {
	target := defs.ScriptTarget(r.Target)
	switch target {
	case defs.ScriptCreatureGUID:
		if _, ok := l.points[r.Of1]; !ok {
			return "the creature that is its target is not executed"
		}
	case defs.ScriptObjectGUID:
		if _, ok := l.objects[r.Of1]; !ok {
			return "the game object that is its target is not executed"
		}
	case defs.ScriptHostileSecond, defs.ScriptHostileLast, defs.ScriptHostileRandom, defs.ScriptHostileNotTop:
		if r.Of3 != 0 || r.Of4 != 0 {
			return "its target is chosen by power or aura"
		}
	}
	if source == scriptOfArea {
		return refuseInArea(r)
	}
	if source != scriptOfObject {
		return ""
	}
	switch target {
	case defs.ScriptVictim, defs.ScriptHostileSecond, defs.ScriptHostileLast, defs.ScriptHostileRandom, defs.ScriptHostileNotTop, defs.ScriptThreatList,
		defs.ScriptFarthest, defs.ScriptSummoner, defs.ScriptClosestEnemy, defs.ScriptClosestFriend:
		return "its target is one that creatures have"
	}
	switch defs.ScriptAction(r.Action) {
	case defs.ScriptTalk, defs.ScriptCast, defs.ScriptThreatOne, defs.ScriptThreatAll, defs.ScriptAutoAttack, defs.ScriptCombatMove, defs.ScriptFleeForAssist,
		defs.ScriptFollow, defs.ScriptDie, defs.ScriptCallForHelp, defs.ScriptSetSheath, defs.ScriptAttackStart, defs.ScriptEscortStart, defs.ScriptEscortPause,
		defs.ScriptEscortStop, defs.ScriptEscortResume, defs.ScriptSetOrientation, defs.ScriptMoveToPosition, defs.ScriptAddThreat, defs.ScriptDisableEvade,
		defs.ScriptSetRun, defs.ScriptWaypointStart, defs.ScriptEvadeNow, defs.ScriptSendGossip:
		return "its action is one of creatures"
	}
	return ""
}

// pointMotion is the kind of movement to a point. Source: POINT_MOTION_TYPE, MotionMaster.h, AzerothCore.
const pointMotion = 8

// Why casts are refused.
const noSpell = "its spell is not there: spells are those of muster"

// refuseAction says why a row is refused for what its action needs.
func (s *scripts) refuseAction(r *scriptRow) string {
	l := s.loader
	switch defs.ScriptAction(r.Action) {
	case defs.ScriptCast, defs.ScriptSelfCast, defs.ScriptInvokerCast:
		if l.world.Spell(uint32(r.Do1)) == nil {
			return noSpell
		}
		if known := int64(defs.ScriptCastInterrupts | defs.ScriptCastTriggered | defs.ScriptCastAuraless | castMoves); r.Do2&^known != 0 {
			return "it casts with a flag that is not executed"
		}
	case defs.ScriptRemoveAuras:
		if r.Do1 != 0 && l.world.Spell(uint32(r.Do1)) == nil {
			return noSpell
		}
		if r.Do2 != 0 {
			return "it takes charges of auras"
		}
	case defs.ScriptSummonCreature:
		switch {
		case l.templates[r.Do1] == nil:
			return "the creature that it summons is not there, or is not executed"
		case r.Do2 < 1 || r.Do2 > 8:
			return scriptNumber
		case r.Do6 != 0:
			return "it summons with a flag that is not executed"
		}
	case defs.ScriptSetBytes1, defs.ScriptRemoveBytes1:
		if r.Do2 != 0 || r.Do1 > math.MaxUint8 {
			return "it changes another byte than the posture"
		}
	case defs.ScriptSetReact:
		if r.Do1 > 2 {
			return scriptNumber
		}
	case defs.ScriptSetPhase, defs.ScriptAddPhase, defs.ScriptRandomPhase, defs.ScriptRandomPhaseRange:
		for _, phase := range []int64{r.Do1, r.Do2, r.Do3, r.Do4, r.Do5, r.Do6} {
			if phase > maxPhase {
				return "there are 12 phases"
			}
		}
	case defs.ScriptCallList, defs.ScriptCallRandomList, defs.ScriptCallRandomListRange:
		for _, id := range lists(r) {
			if len(s.rows[scriptKey{id, scriptOfList}]) == 0 {
				return "its timed action list is not there"
			}
			if why, known := s.why[scriptKey{id, scriptOfList}]; known && !slices.Contains(why, "") {
				return "no row of its timed action list is executed"
			}
		}
	case defs.ScriptSendGossip:
		if menu := l.world.GossipMenu(uint32(r.Do1)); menu == nil {
			return "its menu is not there"
		} else if menu.Conditional() {
			return "its menu has conditions"
		}
	case defs.ScriptSetHealth:
		if r.Do1 == 0 || r.Do1 > 100 {
			return scriptNumber
		}
	}
	return cmp.Or(s.refuseShape(r), s.refuseMove(r))
}

// conditionsOf is the key of the conditions of a row.
func conditionsOf(key scriptKey, r *scriptRow) conditionKey {
	return conditionKey{conditionScript, r.ID + 1, key.of, key.source}
}

// castMoves is the flag of a cast by a creature that stands while it can cast, and comes near otherwise.
//
// Source: SMARTCAST_COMBAT_MOVE, SmartScriptMgr.h, AzerothCore.
const castMoves = 0x40

// maxPhase is the last phase. Source: SMART_EVENT_PHASE_COUNT, SmartScriptMgr.h, AzerothCore.
const maxPhase = 12

// maxLists is how many timed action lists a row chooses from at most.
const maxLists = 64

// lists are the timed action lists that a row calls.
func lists(r *scriptRow) (ids []int64) {
	switch defs.ScriptAction(r.Action) {
	case defs.ScriptCallList:
		return []int64{r.Do1}
	case defs.ScriptCallRandomList:
		for _, id := range []int64{r.Do1, r.Do2, r.Do3, r.Do4, r.Do5, r.Do6} {
			if id != 0 {
				ids = append(ids, id)
			}
		}
	case defs.ScriptCallRandomListRange:
		for id := r.Do1; id <= r.Do2 && len(ids) <= maxLists; id++ {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 || len(ids) > maxLists {
		return []int64{0} // which is none
	}
	return ids
}

// add makes a script of the rows that are executed.
func (s *scripts) add(key scriptKey) {
	rows, why := s.rows[key], s.why[key]
	var made []defs.ScriptRow
	at := make([]int, len(rows)) // of made
	for i := range rows {
		if why[i] == "" {
			at[i] = len(made)
			row := s.row(&rows[i])
			row.Conditions, _ = s.loader.conditions.list(conditionsOf(key, &rows[i]))
			made = append(made, row)
		}
	}
	if len(made) == 0 {
		return
	}
	for i := range rows {
		if n := next(rows, i); why[i] == "" && n >= 0 && why[n] == "" {
			made[at[i]].Next = uint16(at[n] + 1)
		}
	}
	w := &s.loader.world
	if key.source == scriptOfList {
		w.ScriptLists = append(w.ScriptLists, defs.ScriptList{ID: uint32(key.of), Rows: made}) // ascending
		return
	}
	w.Scripts = append(w.Scripts, defs.Script{Rows: made})
	n := uint32(len(w.Scripts))
	switch {
	case key.source == scriptOfArea:
		s.loader.areas.script(w, key.of, n)
	case key.source == scriptOfObject && key.of > 0:
		w.GameObject(uint32(key.of)).Script = n
	case key.source == scriptOfObject:
		point := s.loader.objects[-key.of]
		point.on.Objects[point.index].Script = n
	case key.of > 0:
		s.loader.templates[key.of].Script = n
	default:
		point := s.loader.points[-key.of]
		point.on.Spawns[point.index].Script = n
	}
}

// row is a row as systems execute it.
func (s *scripts) row(r *scriptRow) defs.ScriptRow {
	made := defs.ScriptRow{
		ID: uint16(r.ID), Event: defs.ScriptEvent(r.Event), Phases: uint16(r.Phases), Chance: uint8(r.Chance), Flags: defs.ScriptFlag(r.Flags),
		When:   [6]uint32{uint32(r.When1), uint32(r.When2), uint32(r.When3), uint32(r.When4), uint32(r.When5), uint32(max(r.When6, 0))},
		Action: defs.ScriptAction(r.Action), Do: [6]uint32{uint32(r.Do1), uint32(r.Do2), uint32(r.Do3), uint32(r.Do4), uint32(r.Do5), uint32(r.Do6)},
		Target: defs.ScriptTarget(r.Target), Of: [4]uint32{uint32(r.Of1), uint32(r.Of2), uint32(r.Of3), uint32(r.Of4)},
	}
	if x, y, z, o, ok := position(r.X, r.Y, r.Z, r.O); ok {
		made.At = [4]float32{x, y, z, o}
	}
	switch {
	case made.Event != defs.ScriptRange:
	case r.When6 >= 0: // first least and most, repeat least and most, least and most yards
		w := made.When
		made.When = [6]uint32{w[4], w[5], w[2], w[3], w[0], w[1]}
	default: // least and most yards, repeat least and most
		made.When[4], made.When[5] = 0, 0
	}
	sight := made.Event == defs.ScriptSightInPeace || made.Event == defs.ScriptSightInCombat
	if least, most, ok := made.Repeat(); ok && made.Event.Timed() && !sight && least == 0 && most == 0 {
		made.Flags |= defs.ScriptOnce // Source: SmartAIMgr::LoadSmartAIFromDB, AzerothCore
	}
	s.move(&made, r)
	s.shape(&made, r)
	switch made.Action {
	case defs.ScriptCast, defs.ScriptSelfCast, defs.ScriptInvokerCast:
		s.loader.part("smart_scripts", made.Do[1]&castMoves != 0, "the creature comes near, though it should stand while it can cast")
	case defs.ScriptSetActive:
		s.loader.part("smart_scripts", true, "a creature that no player is near sleeps all the same")
	case defs.ScriptSetFaction:
		if made.Do[0] != 0 {
			made.Do[0] = defs.FactionHostile
			switch players, _ := s.loader.reactionOf(r.Do1); players {
			case likes:
				made.Do[0] = defs.FactionFriendly
			case tolerates:
				s.loader.part("smart_scripts", true, "a creature that attacks on sight goes on to, though with its new faction it should wait to be attacked")
			}
		}
	}
	switch made.Target {
	case defs.ScriptCreatureGUID:
		at := s.loader.points[r.Of1]
		made.Of = [4]uint32{uint32(at.index + 1), at.on.ID}
	case defs.ScriptObjectGUID:
		at := s.loader.objects[r.Of1]
		made.Of = [4]uint32{uint32(at.index + 1), at.on.ID}
	}
	return made
}

// count says what became of the rows.
func (s *scripts) count(keys []scriptKey) {
	u := s.loader.of("smart_scripts")
	for _, key := range keys {
		for i, why := range s.why[key] {
			r := &s.rows[key][i]
			for part, kind := range map[string]int64{"event": r.Event, "action": r.Action, "target": r.Target} {
				n := s.use.Kinds[part][kind]
				if n.Loaded++; why == "" {
					n.Executed++
				}
				s.use.Kinds[part][kind] = n
			}
			if s.use.Loaded++; why == "" {
				s.use.Executed++
				continue
			}
			u.Executed--
			u.Not[why]++
			s.use.Refused = append(s.use.Refused, RefusedScript{
				Of: r.Of, Source: r.Source, ID: r.ID, Link: r.Link, Event: r.Event, Action: r.Action, Target: r.Target, Comment: text(r.Comment), Why: why,
			})
		}
	}
}

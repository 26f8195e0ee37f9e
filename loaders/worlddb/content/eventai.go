package content

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"muster/components"
	"muster/components/defs"
)

// An aiScriptRow is a row of creature_ai_scripts, the scripts of CMaNGOS: an event with up to three actions.
type aiScriptRow struct {
	ID      int64 `column:"id" key:""`
	Of      int64 `column:"creature_id"` // of a template; negative of a spawn point
	Event   int64 `column:"event_type"`
	Without int64 `column:"event_inverse_phase_mask" or:"0"` // phases in which it does not happen, a bit for each from phase 0 on
	Chance  int64 `column:"event_chance" or:"100"`
	Flags   int64 `column:"event_flags" or:"0"`
	When1   int64 `column:"event_param1" or:"0"`
	When2   int64 `column:"event_param2" or:"0"`
	When3   int64 `column:"event_param3" or:"0"`
	When4   int64 `column:"event_param4" or:"0"`
	When5   int64 `column:"event_param5" or:"0"`
	When6   int64 `column:"event_param6" or:"0"`

	Action1 int64 `column:"action1_type" or:"0"`
	Do11    int64 `column:"action1_param1" or:"0"`
	Do12    int64 `column:"action1_param2" or:"0"`
	Do13    int64 `column:"action1_param3" or:"0"`
	Action2 int64 `column:"action2_type" or:"0"`
	Do21    int64 `column:"action2_param1" or:"0"`
	Do22    int64 `column:"action2_param2" or:"0"`
	Do23    int64 `column:"action2_param3" or:"0"`
	Action3 int64 `column:"action3_type" or:"0"`
	Do31    int64 `column:"action3_param1" or:"0"`
	Do32    int64 `column:"action3_param2" or:"0"`
	Do33    int64 `column:"action3_param3" or:"0"`

	Comment string `column:"comment" or:""`
}

// An aiTextRow is a row of creature_ai_texts.
type aiTextRow struct {
	ID       int64  `column:"entry" key:""` // negative
	Text     string `column:"content_default" or:""`
	Sound    int64  `column:"sound" or:"0"`
	Type     int64  `column:"type" or:"0"`
	Language int64  `column:"language" or:"0"`
	Emote    int64  `column:"emote" or:"0"`
}

// An aiScript is a row of creature_ai_scripts as rows of SmartAI, the first of which has the event; or why it is none.
type aiScript struct {
	row   aiScriptRow
	rows  []scriptRow
	why   string
	first int // its first row among those of its script
}

// An eventAI makes scripts of CMaNGOS those of SmartAI, where both mean the same.
type eventAI struct {
	loader *loader
	all    map[int64][]*aiScript // by Of
	texts  map[int64]aiTextRow
	groups map[uint32]uint32 // of texts that a creature has, by entry
}

// Why rows of CMaNGOS are not executed.
const (
	noAIEvent  = "events of this kind are not executed"
	noAIAction = "it has an action of a kind that is not executed"
	noAITarget = "it has a target of a kind that is not executed"
	noAIText   = "its text is not in creature_ai_texts, or of a type that is not executed"
)

// The flags of events.
//
// Source: EventFlags, CreatureEventAI.h, CMaNGOS at 0ca17bc.
const (
	aiRepeats      = 0x1
	aiDifficulties = 0x1E
	aiOneAction    = 0x20
	aiDebug        = 0x80
	aiMustSucceed  = 0x400 // the first action
)

// readEventAI reads the scripts of CMaNGOS, as rows of SmartAI.
func (s *scripts) readEventAI() (*eventAI, error) {
	l := s.loader
	e := &eventAI{loader: l, all: make(map[int64][]*aiScript), texts: make(map[int64]aiTextRow), groups: make(map[uint32]uint32)}
	if err := read(l, "creature_ai_texts", func(r *aiTextRow) string {
		e.texts[r.ID] = *r
		return ""
	}); err != nil {
		return nil, err
	}
	if err := read(l, "creature_ai_scripts", func(r *aiScriptRow) string {
		e.all[r.Of] = append(e.all[r.Of], &aiScript{row: *r})
		return ""
	}); err != nil {
		return nil, err
	}
	for _, of := range slices.Sorted(maps.Keys(e.all)) {
		s.rows[scriptKey{of, scriptOfCreature}] = e.script(e.all[of])
	}
	return e, nil
}

// script makes the rows of a creature a script. Phase n is phase n+1 there, since rows cannot be for phase 0 alone: a script with
// phases begins in phase 1.
func (e *eventAI) script(all []*aiScript) (rows []scriptRow) {
	slices.SortFunc(all, func(a, b *aiScript) int { return cmp.Compare(a.row.ID, b.row.ID) })
	phases := slices.ContainsFunc(all, func(a *aiScript) bool { return a.row.phases() })
	if phases {
		rows = append(rows, scriptRow{
			Of: all[0].row.Of, Event: int64(defs.ScriptReset), Chance: 100, Action: int64(defs.ScriptSetPhase), Do1: 1, Target: int64(defs.ScriptSelf), When6: -1,
		})
	}
	for _, a := range all {
		a.first = len(rows)
		if a.rows, a.why = e.convert(&a.row, phases); a.why != "" {
			a.rows = nil
			continue
		}
		for i := range a.rows {
			a.rows[i].ID = int64(len(rows))
			if a.rows[i].Comment = a.row.Comment; i < len(a.rows)-1 {
				a.rows[i].Link = int64(len(rows)) + 1
			}
			rows = append(rows, a.rows[i])
		}
	}
	return rows
}

// phases reports whether a row depends on a phase, or changes it.
func (r *aiScriptRow) phases() bool {
	yes := r.Without != 0
	for _, a := range r.actions() {
		switch a.kind {
		case 22, 23, 30, 31:
			yes = true
		}
	}
	return yes
}

// An aiAction is one of the actions of a row.
type aiAction struct {
	kind int64
	do   [3]int64
}

// actions are those that a row has.
func (r *aiScriptRow) actions() (all []aiAction) {
	for _, a := range [...]aiAction{
		{r.Action1, [3]int64{r.Do11, r.Do12, r.Do13}}, {r.Action2, [3]int64{r.Do21, r.Do22, r.Do23}}, {r.Action3, [3]int64{r.Do31, r.Do32, r.Do33}},
	} {
		if a.kind != 0 {
			all = append(all, a)
		}
	}
	return all
}

// convert makes a row rows of SmartAI, or says why there are none.
func (e *eventAI) convert(r *aiScriptRow, phases bool) (rows []scriptRow, why string) {
	actions := r.actions()
	first := scriptRow{Of: r.Of, Chance: r.Chance, Flags: r.Flags & aiDifficulties, When6: -1}
	if r.Flags&aiRepeats == 0 {
		first.Flags |= int64(defs.ScriptOnce)
	}
	switch known := int64(aiRepeats | aiDifficulties | aiOneAction | aiDebug | aiMustSucceed); {
	case len(actions) == 0:
		return nil, "it has no action"
	case r.Flags&aiDebug != 0:
		return nil, "it happens in debug builds only"
	case r.Flags&^known != 0:
		return nil, "it has a flag that is not executed"
	case r.Flags&aiOneAction != 0 && len(actions) > 1:
		return nil, "one of its actions is executed, and not all"
	}
	if phases {
		const all = 1<<maxPhase - 1
		if first.Phases = all &^ r.Without; first.Phases == 0 || r.Without > math.MaxUint32 || r.Without < 0 {
			return nil, "it happens in a phase above 11"
		}
	}
	if why := first.happens(r); why != "" {
		return nil, why
	}
	for i, a := range actions {
		row := scriptRow{Of: r.Of, Event: int64(defs.ScriptLink), Chance: 100, When6: -1}
		if i == 0 {
			row = first
		}
		if why := e.act(&row, &a); why != "" {
			return nil, why
		}
		rows = append(rows, row)
	}
	return rows, ""
}

// happens gives a row the event of a row of CMaNGOS, if both have the same.
//
// Source: EventAI_Type, CreatureEventAI.h, CMaNGOS at 0ca17bc.
func (to *scriptRow) happens(r *aiScriptRow) (why string) {
	set := func(event defs.ScriptEvent, when ...int64) {
		to.Event = int64(event)
		for i, at := range []*int64{&to.When1, &to.When2, &to.When3, &to.When4, &to.When5} {
			if i < len(when) {
				*at = when[i]
			}
		}
	}
	const noCondition = "it depends on a condition that is not executed"
	a, b, c, d := r.When1, r.When2, r.When3, r.When4
	switch r.Event {
	case 0:
		set(defs.ScriptUpdateInCombat, a, b, c, d)
	case 1:
		set(defs.ScriptUpdateOutOfCombat, a, b, c, d)
	case 2, 3, 12, 18: // most and least percent
		set(map[int64]defs.ScriptEvent{2: defs.ScriptHealth, 3: defs.ScriptMana, 12: defs.ScriptTargetHealth, 18: defs.ScriptTargetMana}[r.Event], b, a, c, d)
	case 4:
		set(defs.ScriptAggro)
	case 5:
		set(defs.ScriptKill, a, b, c)
	case 6:
		if set(defs.ScriptDeath); a != 0 {
			return noCondition
		}
	case 7:
		set(defs.ScriptEvade)
	case 8:
		set(defs.ScriptSpellHit, a, max(b, 0), c, d) // -1 is any school
	case 9:
		set(defs.ScriptRange, a, b, c, d)
	case 10:
		if set(defs.ScriptSightInPeace, a, b, c, d, r.When5); r.When6 != 0 {
			return noCondition
		}
	case 11:
		set(defs.ScriptRespawn, a, b)
	case 13:
		set(defs.ScriptVictimCasting, a, b)
	case 14:
		set(defs.ScriptFriendHealth, a, b, c, d)
	case 15:
		if set(defs.ScriptFriendHeld, b, c, d); a != 0 {
			return "it is for one type of dispel"
		}
	case 16:
		set(defs.ScriptFriendUnbuffed, a, b, c, d, 1)
	case 17:
		set(defs.ScriptSummonedUnit, a, b, c)
	case 21:
		set(defs.ScriptReachedHome)
	case 22:
		if set(defs.ScriptReceiveEmote, a); b != 0 {
			return noCondition
		}
	case 23:
		set(defs.ScriptHasAura, a, max(b, 1), c, d)
	case 24:
		set(defs.ScriptTargetBuffed, a, max(b, 1), c, d)
	case 25:
		set(defs.ScriptSummonedUnitDies, a, b, c)
	case 26:
		set(defs.ScriptSummonDespawned, a, b, c)
	case 27:
		if set(defs.ScriptHasAura, a, 0, c, d); b > 1 {
			return "it waits for stacks of an aura to be missing"
		}
	case 29:
		set(defs.ScriptUpdate, a, b, c, d)
	case 34:
		set(defs.ScriptSpellHitTarget, a, max(b, 0), c, d)
	default:
		return noAIEvent
	}
	return ""
}

// aiTargets are the targets that mean the same, with whether they are players.
//
// Source: Target, CreatureEventAI.h, CMaNGOS at 0ca17bc.
var aiTargets = map[int64]struct {
	target  defs.ScriptTarget
	players int64
}{
	0: {defs.ScriptSelf, 0}, 1: {defs.ScriptVictim, 0}, 2: {defs.ScriptHostileSecond, 0}, 3: {defs.ScriptHostileLast, 0}, 4: {defs.ScriptHostileRandom, 0},
	5: {defs.ScriptHostileNotTop, 0}, 6: {defs.ScriptInvoker, 0}, 8: {defs.ScriptHostileRandom, 1}, 9: {defs.ScriptHostileNotTop, 1}, 11: {defs.ScriptSummoner, 0},
}

// aim gives a row a target, if both have the same.
func (to *scriptRow) aim(target int64) (why string) {
	it, ok := aiTargets[target]
	if !ok {
		return noAITarget
	}
	to.Target, to.Of2 = int64(it.target), it.players
	return ""
}

// act gives a row an action, if both have the same.
//
// Source: EventAI_ActionType, CreatureEventAI.h, CMaNGOS at 0ca17bc.
func (e *eventAI) act(to *scriptRow, a *aiAction) (why string) {
	to.Target = int64(defs.ScriptSelf)
	set := func(action defs.ScriptAction, do ...int64) {
		to.Action = int64(action)
		for i, at := range []*int64{&to.Do1, &to.Do2, &to.Do3, &to.Do4} {
			if i < len(do) {
				*at = do[i]
			}
		}
	}
	p, q, r := a.do[0], a.do[1], a.do[2]
	const another = "a parameter of an action means something else"
	switch a.kind {
	case 1:
		return e.say(to, a.do)
	case 2:
		if set(defs.ScriptSetFaction, p); q != 0 {
			return "its faction lasts for a time"
		}
	case 3:
		set(defs.ScriptMorph, p, q)
	case 4:
		set(defs.ScriptSound, p)
	case 5:
		set(defs.ScriptEmote, p)
	case 9:
		set(defs.ScriptRandomSound, p, q, r)
	case 10:
		set(defs.ScriptRandomEmote, p, q, r)
	case 11:
		set(defs.ScriptCast, p, r)
		return to.aim(q)
	case 13:
		if set(defs.ScriptThreatOne, max(p, 0), max(-p, 0)); r != 0 {
			return another
		}
		return to.aim(q)
	case 14:
		set(defs.ScriptThreatAll, max(p, 0), max(-p, 0))
	case 18:
		set(defs.ScriptSetUnitFlags, p)
		return to.aim(q)
	case 19:
		set(defs.ScriptRemoveUnitFlags, p)
		return to.aim(q)
	case 20:
		set(defs.ScriptAutoAttack, p)
	case 21:
		if set(defs.ScriptCombatMove, p); q != 0 {
			return another
		}
	case 22:
		set(defs.ScriptSetPhase, p+1)
	case 23:
		set(defs.ScriptAddPhase, max(p, 0), max(-p, 0))
	case 24:
		set(defs.ScriptEvadeNow)
	case 25:
		set(defs.ScriptFleeForAssist)
	case 28:
		set(defs.ScriptRemoveAuras, q)
		return to.aim(p)
	case 30:
		set(defs.ScriptRandomPhase, p+1, q+1, r+1)
	case 31:
		set(defs.ScriptRandomPhaseRange, p+1, q+1)
	case 37:
		set(defs.ScriptDie)
	case 39:
		set(defs.ScriptCallForHelp, p)
	case 40:
		set(defs.ScriptSetSheath, p)
	case 41:
		set(defs.ScriptForceDespawn, p)
	case 42:
		set(defs.ScriptSetLeastHealth, p)
	case 43:
		set(defs.ScriptMount, p, q)
	case 47:
		if set(defs.ScriptSetBytes1, p); p > components.Submerged {
			return scriptNumber
		}
	case 50:
		set(defs.ScriptSetReact, p)
	case 55:
		set(defs.ScriptAttackStart)
		return to.aim(p)
	default:
		return noAIAction
	}
	return ""
}

// aiTextTypes are the types of messages of texts: a say, a yell, an emote, a boss's emote, a whisper and a boss's whisper.
//
// Source: ChatType, Creature.h, CMaNGOS.
var aiTextTypes = [...]uint8{12, 14, 16, 41, 15, 42}

// say gives a row the action of saying one of some texts, as a group of its creature.
func (e *eventAI) say(to *scriptRow, ids [3]int64) (why string) {
	entry := to.Of
	if at, ok := e.loader.points[-to.Of]; to.Of < 0 && ok {
		entry = int64(at.on.Spawns[at.index].Entry)
	}
	if entry <= 0 || entry > maxEntry {
		return "the creature is not executed"
	}
	group := defs.Text{Entry: uint32(entry), Group: e.groups[uint32(entry)]}
	for _, id := range ids {
		t, ok := e.texts[id]
		switch {
		case id == 0:
			continue
		case !ok || t.Text == "" || len(t.Text) > maxTextBytes || t.Type < 0 || t.Type >= int64(len(aiTextTypes)):
			return noAIText
		}
		group.Lines = append(group.Lines, defs.TextLine{
			Text: text(t.Text), Type: aiTextTypes[t.Type], Language: number(t.Language), Emote: number(t.Emote), Sound: number(t.Sound),
		})
	}
	if len(group.Lines) == 0 || group.Group > math.MaxUint8 {
		return noAIText
	}
	e.groups[uint32(entry)]++
	e.loader.said = append(e.loader.said, group)
	to.Action, to.Do1, to.Target = int64(defs.ScriptTalk), int64(group.Group), int64(defs.ScriptInvoker)
	return ""
}

// settle has rows of CMaNGOS be executed as a whole or not at all.
func (e *eventAI) settle(s *scripts) {
	for of, all := range e.all {
		why := s.why[scriptKey{of, scriptOfCreature}]
		for _, a := range all {
			for i := range a.rows {
				a.why = cmp.Or(a.why, why[a.first+i])
			}
			for i := range a.rows {
				why[a.first+i] = a.why
			}
		}
	}
}

// count says what became of the rows.
func (e *eventAI) count(use *ScriptUse) {
	u := e.loader.of("creature_ai_scripts")
	note := func(part string, kind int64, executed bool) {
		if use.Kinds[part] == nil {
			use.Kinds[part] = make(map[int64]ByKind)
		}
		n := use.Kinds[part][kind]
		if n.Loaded++; executed {
			n.Executed++
		}
		use.Kinds[part][kind] = n
	}
	for _, all := range e.all {
		for _, a := range all {
			r := &a.row
			note("event", r.Event, a.why == "")
			for i, kind := range []int64{r.Action1, r.Action2, r.Action3} {
				note(fmt.Sprintf("action%d", i+1), kind, a.why == "")
			}
			if use.Loaded++; a.why == "" {
				use.Executed++
				continue
			}
			u.Executed--
			u.Not[a.why]++
			use.Refused = append(use.Refused, RefusedScript{Of: r.Of, ID: r.ID, Event: r.Event, Action: r.Action1, Comment: text(r.Comment), Why: a.why})
		}
	}
	slices.SortFunc(use.Refused, func(a, b RefusedScript) int { return cmp.Or(cmp.Compare(a.Of, b.Of), cmp.Compare(a.ID, b.ID)) })
}

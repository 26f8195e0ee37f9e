package content

import (
	"math"

	"muster/components/defs"
	"muster/net/protocol/msg"
)

// A startSpellRow is a row of playercreateinfo_spell_custom, of a race and a class or of several of each; of playercreateinfo_spell too.
type startSpellRow struct {
	Races   int64 `column:"racemask" or:"0" key:""`
	Classes int64 `column:"classmask" or:"0" key:""`
	Race    int64 `column:"race" or:"0" key:""`
	Class   int64 `column:"class" or:"0" key:""`
	Spell   int64 `column:"spell" key:""`
}

// readStartSpells reads the spells that characters begin with besides those of their class.
//
// Source: ObjectMgr::LoadPlayerInfo, AzerothCore.
func (l *loader) readStartSpells() error {
	l.world.StartSpells = nil
	for _, table := range []string{"playercreateinfo_spell_custom", "playercreateinfo_spell"} {
		if err := read(l, table, func(r *startSpellRow) string {
			races, classes := r.Races, r.Classes
			if r.Race > 0 && r.Race <= 32 {
				races = 1 << (r.Race - 1)
			}
			if r.Class > 0 && r.Class <= 32 {
				classes = 1 << (r.Class - 1)
			}
			switch {
			case r.Race < 0 || r.Race > 32 || r.Class < 0 || r.Class > 32 || races < 0 || races > math.MaxUint32 || classes < 0 || classes > math.MaxUint32:
				return noRaceOrClass
			case r.Spell <= 0 || r.Spell > math.MaxUint32 || l.world.Spell(uint32(r.Spell)) == nil:
				return noSpell
			}
			l.world.StartSpells = append(l.world.StartSpells, defs.StartSpell{Races: uint32(races), Classes: uint32(classes), Spell: uint32(r.Spell)})
			return ""
		}); err != nil {
			return err
		}
	}
	return nil
}

// A startActionRow is a row of playercreateinfo_action.
type startActionRow struct {
	Race   int64 `column:"race" key:""`
	Class  int64 `column:"class" key:""`
	Button int64 `column:"button" key:""`
	Action int64 `column:"action"`
	Kind   int64 `column:"type" or:"0"`
}

// The kinds of actions that buttons have.
//
// Source: ActionButtonType, Player.h, AzerothCore.
const (
	buttonSpell = 0
	buttonItem  = 0x80
)

// readStartActions reads what the buttons of new characters do.
//
// Source: ObjectMgr::LoadPlayerInfo and Player::addActionButton, AzerothCore.
func (l *loader) readStartActions() error {
	l.world.StartActions = nil
	return read(l, "playercreateinfo_action", func(r *startActionRow) string {
		const mostAction = 1<<24 - 1
		switch {
		case r.Race <= 0 || r.Race > math.MaxUint8 || r.Class <= 0 || r.Class > math.MaxUint8:
			return noRaceOrClass
		case r.Button < 0 || r.Button >= int64(len(msg.ActionButtons{}.Buttons)) || r.Action <= 0 || r.Action > mostAction:
			return "there is no such button, or no such action"
		case r.Kind == buttonSpell && l.world.Spell(uint32(r.Action)) == nil:
			return noSpell
		case r.Kind == buttonItem && l.world.Item(uint32(r.Action)) == nil:
			return "its item is not there"
		case r.Kind != buttonSpell && r.Kind != buttonItem:
			return "it is a macro or an equipment, which are of a client"
		}
		l.world.StartActions = append(l.world.StartActions, defs.StartAction{
			Race: uint8(r.Race), Class: uint8(r.Class), Button: uint8(r.Button), Packed: uint32(r.Action) | uint32(r.Kind)<<24,
		})
		return ""
	})
}

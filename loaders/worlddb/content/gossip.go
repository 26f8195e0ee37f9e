package content

import (
	"cmp"
	"math"
	"slices"
	"unicode/utf8"

	"muster/components"
	"muster/components/defs"
	"muster/net/protocol/msg"
)

// A menuRow is a row of gossip_menu: one of the texts that a menu may have.
type menuRow struct {
	Menu      int64 `column:"menuid entry" key:""`
	Text      int64 `column:"textid text_id" key:""`
	Condition int64 `column:"condition_id" or:"0"`
}

// An optionRow is a row of gossip_menu_option.
type optionRow struct {
	Menu      int64  `column:"menuid menu_id" key:""`
	ID        int64  `column:"optionid id" key:""`
	Icon      int64  `column:"optionicon option_icon" or:"0"`
	Text      string `column:"optiontext option_text" or:""`
	Spoken    int64  `column:"optionbroadcasttextid option_broadcast_text" or:"0"`
	Type      int64  `column:"optiontype option_id" or:"0"`
	NPCFlags  int64  `column:"optionnpcflag npc_option_npcflag" or:"0"`
	Opens     int64  `column:"actionmenuid action_menu_id" or:"0"`
	Point     int64  `column:"actionpoiid action_poi_id" or:"0"`
	Script    int64  `column:"action_script_id" or:"0"`
	Coded     int64  `column:"boxcoded box_coded" or:"0"`
	Copper    int64  `column:"boxmoney box_money" or:"0"`
	BoxText   string `column:"boxtext box_text" or:""`
	BoxSpoken int64  `column:"boxbroadcasttextid box_broadcast_text" or:"0"`
	Condition int64  `column:"condition_id" or:"0"`
}

// A pointRow is a row of points_of_interest.
type pointRow struct {
	ID    int64   `column:"id entry" key:""`
	X     float64 `column:"positionx x"`
	Y     float64 `column:"positiony y"`
	Icon  int64   `column:"icon" or:"0"`
	Flags int64   `column:"flags" or:"0"`
	Data  int64   `column:"importance data" or:"0"`
	Name  string  `column:"name icon_name" or:""`
}

// Types of options that are executed.
//
// Source: Gossip_Option, GossipDef.h, AzerothCore.
const (
	optionGossip  = 1
	optionVendor  = 3
	optionTrainer = 5
)

// Sources of conditions of menus and options.
//
// Source: CONDITION_SOURCE_TYPE_GOSSIP_MENU and CONDITION_SOURCE_TYPE_GOSSIP_MENU_OPTION, ConditionMgr.h, AzerothCore.
const (
	conditionMenu   = 14
	conditionOption = 15
)

// gossips are the menus of a database.
type gossips struct {
	loader *loader
	menus  map[int64]*defs.GossipMenu
}

// readGossips reads menus, texts and marks on the map. It comes after the templates.
func (l *loader) readGossips() error {
	if err := l.readNPCTexts(); err != nil {
		return err
	}
	if err := l.readPoints(); err != nil {
		return err
	}
	g := &gossips{l, make(map[int64]*defs.GossipMenu)}
	if err := g.readTexts(); err != nil {
		return err
	}
	if err := g.readOptions(); err != nil {
		return err
	}
	l.world.GossipMenus = nil
	for _, m := range g.menus {
		if !slices.ContainsFunc(m.Texts, func(t defs.GossipText) bool { return t.Conditions != 0 }) {
			m.Texts = nil // it has one, always the same
		}
		for i := range m.Texts {
			if m.Texts[i].Text == 0 {
				m.Texts[i].Text = defs.DefaultText
			}
		}
		l.world.GossipMenus = append(l.world.GossipMenus, *m)
	}
	slices.SortFunc(l.world.GossipMenus, func(a, b defs.GossipMenu) int { return cmp.Compare(a.ID, b.ID) })
	return nil
}

// menu is the menu of an ID, which is made if there is none yet.
func (g *gossips) menu(id int64) *defs.GossipMenu {
	m := g.menus[id]
	if m == nil {
		m = &defs.GossipMenu{ID: uint32(id), Text: defs.DefaultText}
		g.menus[id] = m
	}
	return m
}

const noMenuNumber = "its number has more than 32 bits"

// maxMenuTexts is how many texts a menu has at most, our own choice.
const maxMenuTexts = 31

// readTexts reads the texts of menus. Of several, a menu has the last whose conditions hold.
//
// Source: Player::GetGossipTextId, AzerothCore.
func (g *gossips) readTexts() error {
	had := make(map[int64]bool)
	return read(g.loader, "gossip_menu", func(r *menuRow) string {
		switch {
		case r.Menu < 0 || r.Menu > math.MaxUint32 || r.Text < 0 || r.Text > math.MaxUint32:
			return noMenuNumber
		case r.Condition != 0:
			g.menu(r.Menu)
			return "the menu has this text under conditions"
		}
		m := g.menu(r.Menu)
		list, refused := g.loader.conditions.list(conditionKey{source: conditionMenu, group: r.Menu, entry: r.Text})
		switch {
		case refused != "":
			return refused
		case len(m.Texts) == maxMenuTexts:
			return "a menu has at most 31 texts"
		}
		m.Texts = append(m.Texts, defs.GossipText{Text: uint32(r.Text), Conditions: list})
		if list != 0 {
			return ""
		}
		if r.Text != 0 {
			m.Text = uint32(r.Text)
		}
		if had[r.Menu] {
			g.loader.of("gossip_menu").Part["of several texts without conditions a menu has the last"]++
		}
		had[r.Menu] = true
		return ""
	})
}

// readOptions reads the options of menus.
func (g *gossips) readOptions() error {
	spoken := &g.loader.spoken
	return read(g.loader, "gossip_menu_option", func(r *optionRow) string {
		o := defs.GossipOption{
			ID: uint32(r.ID), Icon: uint8(min(max(r.Icon, 0), math.MaxUint8)), NPCFlags: uint32(r.NPCFlags),
			Text: cut(cmp.Or(spoken.rows[r.Spoken].Male, r.Text), msg.MaxGossipText), BoxText: cut(cmp.Or(spoken.rows[r.BoxSpoken].Male, r.BoxText), msg.MaxGossipText),
		}
		switch {
		case r.Menu < 0 || r.Menu > math.MaxUint32 || r.ID < 0 || r.ID > math.MaxUint32:
			return noMenuNumber
		case r.Condition != 0:
			return "the option is there under conditions"
		case r.Copper != 0:
			return "the option costs money"
		case r.Coded != 0:
			return "the option asks for a text, which a script would read"
		}
		switch r.Type {
		case optionGossip:
			o.Close = r.Opens < 0
			if r.Opens > 0 && r.Opens <= math.MaxUint32 {
				o.Menu = uint32(r.Opens)
			}
			if r.Point > 0 && r.Point <= math.MaxUint32 {
				o.Point = uint32(r.Point)
			}
		case optionVendor:
			if r.Opens > 0 {
				return "the option opens the list of another vendor"
			}
			o.Opens = defs.GossipVendor
		case optionTrainer:
			o.Opens = defs.GossipTrainer
		default:
			return "what the option opens is not executed"
		}
		if o.NPCFlags == 0 {
			return "the option is there without an NPC flag: creatures never have it"
		}
		m := g.menu(r.Menu)
		if len(m.Options) == msg.MaxGossipOptions {
			return "a menu has at most 32 options"
		}
		var refused string
		if o.Conditions, refused = g.loader.conditions.list(conditionKey{source: conditionOption, group: r.Menu, entry: r.ID}); refused != "" {
			return refused
		}
		if r.Script != 0 {
			g.loader.of("gossip_menu_option").Part["the script of the option"]++
		}
		spoken.say(r.Spoken)
		spoken.say(r.BoxSpoken)
		m.Options = append(m.Options, o)
		return ""
	})
}

// readPoints reads the marks on the map.
func (l *loader) readPoints() error {
	l.world.PointsOfInterest = nil
	err := read(l, "points_of_interest", func(r *pointRow) string {
		x, y, _, _, ok := position(r.X, r.Y, 0, 0)
		switch {
		case r.ID <= 0 || r.ID > math.MaxUint32:
			return noMenuNumber
		case !ok:
			return offMap
		}
		l.world.PointsOfInterest = append(l.world.PointsOfInterest, defs.PointOfInterest{
			ID: uint32(r.ID), X: x, Y: y, Icon: number(r.Icon), Flags: number(r.Flags), Data: number(r.Data), Name: cut(r.Name, msg.MaxPointName),
		})
		return ""
	})
	slices.SortStableFunc(l.world.PointsOfInterest, func(a, b defs.PointOfInterest) int { return cmp.Compare(a.ID, b.ID) })
	return err
}

// cut is a text as clients can be sent it, of at most so many bytes.
func cut(s string, most int) string {
	s = text(s)
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}

// talks gives a template its menu. Spirit healers do not talk: ghosts cannot.
func (l *loader) talks(c *defs.Creature, menu int64) {
	if c.NPCFlags&spiritServices != 0 {
		c.NPCFlags &^= components.NPCGossip
	} else if menu > 0 && menu <= math.MaxUint32 {
		c.GossipMenu = uint32(menu)
	}
}

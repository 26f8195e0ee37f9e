package scenario

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"muster/components"
	"muster/components/defs"
	"muster/net/protocol/msg"
)

// talks reads a menu of a creature: "talks 7 text 70 with Wares to vendor, Tales to 8, Mill to point 3, Bye to close".
func (p *play) talks(template *defs.Creature, words []string) error {
	head, options, _ := strings.Cut(strings.Join(words, " "), " with")
	menu := defs.GossipMenu{Text: defs.DefaultText}
	if _, err := fmt.Sscanf(head, "%d text %d", &menu.ID, &menu.Text); err != nil {
		return fmt.Errorf("what is %q: %w", head, err)
	}
	for i, part := range strings.Split(options, ",") {
		text, to, found := strings.Cut(strings.TrimSpace(part), " to ")
		o := defs.GossipOption{ID: uint32(i), Icon: uint8(i), Text: text, NPCFlags: components.NPCGossip}
		switch to {
		case "vendor":
			o.Opens, o.NPCFlags = defs.GossipVendor, components.NPCVendor
		case "trainer":
			o.Opens, o.NPCFlags = defs.GossipTrainer, components.NPCTrainer
		case "close":
			o.Close = true
		case "":
			if !found && text == "" {
				continue
			}
		default:
			if number, ok := strings.CutPrefix(to, "point "); ok {
				n, _ := strconv.ParseUint(number, 10, 32)
				o.Point = uint32(n)
				p.defs.PointsOfInterest = append(p.defs.PointsOfInterest, defs.PointOfInterest{ID: o.Point, X: 3, Y: 4, Icon: 6, Flags: 99, Name: text})
				break
			}
			n, err := strconv.ParseUint(to, 10, 32)
			if err != nil {
				return err
			}
			o.Menu = uint32(n)
		}
		menu.Options = append(menu.Options, o)
	}
	if template.GossipMenu == 0 {
		template.GossipMenu = menu.ID
	}
	template.NPCFlags, template.Faction = template.NPCFlags|components.NPCGossip, defs.FactionFriendly
	p.defs.GossipMenus = append(p.defs.GossipMenus, menu)
	slices.SortFunc(p.defs.GossipMenus, func(a, b defs.GossipMenu) int { return cmp.Compare(a.ID, b.ID) })
	return nil
}

// talk fills what is asked of a creature that talks: "sends CMSG_GOSSIP_SELECT_OPTION Bard 7 0".
func (p *play) talk(m msg.Message, words []string) bool {
	number := func(i int) uint32 {
		n, _ := strconv.ParseUint(words[i], 10, 32)
		return uint32(n)
	}
	switch m := m.(type) {
	case *msg.GossipHello:
		m.GUID = p.guid(words[0])
	case *msg.GossipSelect:
		*m = msg.GossipSelect{GUID: p.guid(words[0]), Menu: number(1), Option: number(2)}
	case *msg.TrainerListQuery:
		m.GUID = p.guid(words[0])
	case *msg.TrainerBuy:
		spell, _ := p.spellNamed(words[1])
		*m = msg.TrainerBuy{GUID: p.guid(words[0]), Spell: spell}
	default:
		return false
	}
	return true
}

// teaches reads what a trainer teaches: "teaches Bolt for 10 at 1, Hail for 5".
func (p *play) teaches(template *defs.Creature, words []string) error {
	trainer := defs.Trainer{Entry: template.Entry, Greeting: "Well?"}
	for _, part := range strings.Split(strings.Join(words, " "), ", ") {
		word := strings.Fields(part)
		id, err := p.spellNamed(word[0])
		if err != nil {
			return err
		}
		copper, _ := strconv.ParseUint(after(word, "for"), 10, 32)
		level, _ := strconv.ParseUint(after(word, "at"), 10, 8)
		skill, _ := strconv.ParseUint(after(word, "skill"), 10, 32)
		trainer.Spells = append(trainer.Spells, defs.TrainerSpell{Spell: id, Copper: uint32(copper), Level: uint8(level), Skill: uint32(skill)})
	}
	slices.SortFunc(trainer.Spells, func(a, b defs.TrainerSpell) int { return cmp.Compare(a.Spell, b.Spell) })
	template.NPCFlags, template.Faction = template.NPCFlags|components.NPCTrainer, defs.FactionFriendly
	p.defs.Trainers = append(p.defs.Trainers, trainer)
	return nil
}

// describeTalk says what a packet of a creature that talks tells, "" for any other packet.
func (p *play) describeTalk(m msg.Message) string {
	switch m := m.(type) {
	case *msg.GossipMessage:
		text := fmt.Sprintf("%s menu %d text %d:", p.names[m.GUID], m.Menu, m.Text)
		for _, o := range m.Options {
			text += fmt.Sprintf(" %d %s", o.ID, o.Text)
		}
		return text
	case *msg.TrainerList:
		text := fmt.Sprintf("%s %q:", p.names[m.GUID], m.Greeting)
		for _, o := range m.Spells {
			text += fmt.Sprintf(" %s for %d at %d state %d", p.spellName(o.Spell), o.Copper, o.Level, o.State)
		}
		return text
	case *msg.TrainerBought:
		return fmt.Sprintf("%s %s", p.names[m.GUID], p.spellName(m.Spell))
	case *msg.TrainerBuyFailed:
		return fmt.Sprintf("%s %s reason %d", p.names[m.GUID], p.spellName(m.Spell), m.Result)
	case *msg.PointOfInterest:
		return fmt.Sprintf("%s at %g,%g icon %d flags %d", m.Name, m.X, m.Y, m.Icon, m.Flags)
	}
	return ""
}

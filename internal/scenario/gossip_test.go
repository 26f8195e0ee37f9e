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
	default:
		return false
	}
	return true
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
	case *msg.PointOfInterest:
		return fmt.Sprintf("%s at %g,%g icon %d flags %d", m.Name, m.X, m.Y, m.Icon, m.Flags)
	}
	return ""
}

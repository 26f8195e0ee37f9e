package content

import (
	"cmp"
	"math"
	"slices"

	"muster/components/defs"
)

// A textRow is a row of creature_text.
type textRow struct {
	Entry     int64   `column:"creatureid entry" key:""`
	Group     int64   `column:"groupid" key:""`
	ID        int64   `column:"id" key:""`
	Text      string  `column:"text" or:""`
	Type      int64   `column:"type" or:"12"`
	Language  int64   `column:"language" or:"0"`
	Chance    float64 `column:"probability" or:"0"`
	Emote     int64   `column:"emote" or:"0"`
	TimeMs    int64   `column:"duration" or:"0"`
	Sound     int64   `column:"sound" or:"0"`
	Broadcast int64   `column:"broadcasttextid" or:"0"`
	Reach     int64   `column:"textrange" or:"0"`
}

// textTypes are the types of messages of texts: a monster's say, yell, emote and whisper, a boss's emote and whisper.
//
// Source: CreatureTextMgr.h and ChatMsg, SharedDefines.h, AzerothCore.
var textTypes = []int64{12, 14, 15, 16, 41, 42}

// maxTextBytes is the longest text of a creature, our own choice.
const maxTextBytes = 1000

// readTexts reads what creatures say. It comes after templates and broadcast_text.
func (l *loader) readTexts() error {
	l.world.Texts = l.said
	slices.SortStableFunc(l.world.Texts, func(a, b defs.Text) int { return cmp.Or(cmp.Compare(a.Entry, b.Entry), cmp.Compare(a.Group, b.Group)) })
	if !l.src.Has("creature_text") {
		return nil
	}
	part := l.of("creature_text").Part
	err := read(l, "creature_text", func(r *textRow) string {
		spoken := l.spoken.rows[r.Broadcast] // Source: CreatureTextMgr::GetLocalizedChatString, AzerothCore
		line := defs.TextLine{
			Text: text(cmp.Or(spoken.Male, spoken.Female, r.Text)), Type: uint8(r.Type), Reach: uint8(r.Reach), Language: number(r.Language),
			Chance: float32(min(amount(r.Chance), 100)), Emote: number(r.Emote), TimeMs: number(r.TimeMs), Sound: number(r.Sound),
		}
		switch {
		case l.templates[r.Entry] == nil:
			return "its template is not there, or is not executed"
		case r.Group < 0 || r.Group > math.MaxUint8 || r.ID < 0 || r.ID > math.MaxUint8 || r.Reach < 0 || r.Reach > 4:
			return "a number of it is out of range"
		case !slices.Contains(textTypes, r.Type):
			return "texts of this type are not executed"
		case line.Text == "":
			return "it is empty"
		case len(line.Text) > maxTextBytes:
			return "it is longer than 1000 bytes"
		}
		last := len(l.world.Texts) - 1
		if last < 0 || l.world.Texts[last].Entry != uint32(r.Entry) || l.world.Texts[last].Group != uint32(r.Group) {
			l.world.Texts = append(l.world.Texts, defs.Text{Entry: uint32(r.Entry), Group: uint32(r.Group)})
			last++
		}
		group := &l.world.Texts[last]
		if len(group.Lines) == defs.MaxTextLines {
			return "its group has more than 32 lines"
		}
		if line.Sound != 0 {
			part["its sound is not played"]++
		}
		group.Lines = append(group.Lines, line)
		l.spoken.say(r.Broadcast)
		return ""
	})
	slices.SortFunc(l.world.Texts, func(a, b defs.Text) int { return cmp.Or(cmp.Compare(a.Entry, b.Entry), cmp.Compare(a.Group, b.Group)) })
	return err
}

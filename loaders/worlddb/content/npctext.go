package content

import (
	"cmp"
	"math"
	"slices"

	"muster/components/defs"
	"muster/loaders/worlddb"
	"muster/net/protocol/msg"
)

// An npcTextRow is a row of npc_text.
type npcTextRow struct {
	ID      int64 `column:"id" key:""`
	Choices [8]struct {
		Male        string  `column:"text%_0" or:""`
		Female      string  `column:"text%_1" or:""`
		Spoken      int64   `column:"broadcasttextid%" or:"0"`
		Language    int64   `column:"lang%" or:"0"`
		Probability float64 `column:"probability% prob%" or:"0"`

		// The emotes are named in three ways. AzerothCore numbers delays and emotes in one.
		Pair0 int64 `column:"em%_0" or:"0"`
		Pair1 int64 `column:"em%_1" or:"0"`
		Pair2 int64 `column:"em%_2" or:"0"`
		Pair3 int64 `column:"em%_3" or:"0"`
		Pair4 int64 `column:"em%_4" or:"0"`
		Pair5 int64 `column:"em%_5" or:"0"`

		Delay0 int64 `column:"emotedelay%_0 em%_0_delay" or:"0"`
		Delay1 int64 `column:"emotedelay%_1 em%_1_delay" or:"0"`
		Delay2 int64 `column:"emotedelay%_2 em%_2_delay" or:"0"`
		Emote0 int64 `column:"emote%_0" or:"0"`
		Emote1 int64 `column:"emote%_1" or:"0"`
		Emote2 int64 `column:"emote%_2" or:"0"`
	}
}

// A spokenTextRow is a row of npc_text_broadcast_text of CMaNGOS.
type spokenTextRow struct {
	ID      int64 `column:"id" key:""`
	Choices [8]struct {
		Spoken      int64   `column:"broadcasttextid%" or:"0"`
		Probability float64 `column:"prob%" or:"0"`
	}
}

// readNPCTexts reads what creatures say in windows. It comes after broadcast_text.
func (l *loader) readNPCTexts() error {
	l.world.NPCTexts = nil
	have := make(map[int64]bool)
	refuse := func(id int64) string {
		switch {
		case id <= 0 || id > math.MaxUint32:
			return noMenuNumber
		case have[id]:
			return "the text is there already"
		}
		have[id] = true
		return ""
	}
	if err := read(l, "npc_text", func(r *npcTextRow) string {
		if refused := refuse(r.ID); refused != "" {
			return refused
		}
		made := defs.NPCText{ID: uint32(r.ID)}
		for i := range r.Choices {
			from, to := &r.Choices[i], &made.Choices[i]
			*to = said(from.Male, from.Female, from.Language, from.Probability, l.spoken.say(from.Spoken))
			emotes := [3][2]int64{{from.Pair0, from.Pair1}, {from.Pair2, from.Pair3}, {from.Pair4, from.Pair5}}
			switch {
			case l.src.Family == worlddb.CMaNGOS:
				emotes = [3][2]int64{{from.Delay0, from.Pair0}, {from.Delay1, from.Pair1}, {from.Delay2, from.Pair2}}
			case from.Delay0|from.Delay1|from.Delay2|from.Emote0|from.Emote1|from.Emote2 != 0:
				emotes = [3][2]int64{{from.Delay0, from.Emote0}, {from.Delay1, from.Emote1}, {from.Delay2, from.Emote2}}
			}
			for k, e := range emotes {
				to.Emotes[k] = defs.NPCTextEmote{DelayMs: number(e[0]), Emote: number(e[1])}
			}
		}
		l.world.NPCTexts = append(l.world.NPCTexts, made)
		return ""
	}); err != nil {
		return err
	}
	err := read(l, "npc_text_broadcast_text", func(r *spokenTextRow) string {
		if refused := refuse(r.ID); refused != "" {
			return refused
		}
		made := defs.NPCText{ID: uint32(r.ID)}
		for i := range r.Choices {
			made.Choices[i] = said("", "", 0, r.Choices[i].Probability, l.spoken.say(r.Choices[i].Spoken))
		}
		l.world.NPCTexts = append(l.world.NPCTexts, made)
		return ""
	})
	slices.SortFunc(l.world.NPCTexts, func(a, b defs.NPCText) int { return cmp.Compare(a.ID, b.ID) })
	return err
}

// said is one choice of a text. What is spoken stands before what the table has.
//
// Source: WorldSession::HandleNpcTextQueryOpcode, AzerothCore.
func said(male, female string, language int64, probability float64, spoken spokenRow) defs.NPCTextChoice {
	if spoken.ID != 0 {
		male, female, language = spoken.Male, spoken.Female, cmp.Or(language, spoken.Language)
	}
	return defs.NPCTextChoice{
		Probability: float32(amount(probability)), Male: cut(male, msg.MaxNPCText), Female: cut(female, msg.MaxNPCText), Language: number(language),
	}
}

package social

import (
	"muster/ecs"
	"muster/net/protocol/msg"
)

// Emotes that the code refers to.
//
// Source: enum Emote, SharedDefines.h, AzerothCore.
const (
	gestureNone  = 0
	gestureWave  = 3
	gestureDance = 10 // a state until the dancer moves
)

// gestures has the emote of each text that has one, by the text's number, 0 for none: the emote of the same name, if
// there is one, or that which clients show with the text. Postures (sit, sleep, kneel) are no emotes: a client
// requests them separately.
//
// Source: enums TextEmotes and Emote, SharedDefines.h, AzerothCore.
var gestures = [...]uint16{
	3:   14, // angry: rude
	5:   21, // applaud
	8:   20, // beg
	17:  2,  // bow
	19:  3,  // bye: wave
	21:  4,  // cheer
	22:  19, // chicken
	24:  21, // clap: applaud
	31:  18, // cry
	33:  2,  // curtsey: bow
	34:  gestureDance,
	37:  7,   // eat
	41:  23,  // flex
	45:  11,  // giggle: laugh
	48:  3,   // greet: wave
	53:  3,   // hail: wave
	55:  3,   // hello: wave
	58:  17,  // kiss
	60:  11,  // laugh
	66:  274, // no
	67:  273, // nod: yes
	72:  25,  // point
	74:  16,  // pray: kneel, once
	75:  15,  // roar
	76:  11,  // roll on the floor: laugh
	77:  14,  // rude
	78:  66,  // salute
	82:  22,  // shout
	83:  6,   // shrug: question
	84:  24,  // shy
	93:  1,   // talk
	94:  5,   // talk, excitedly: exclamation
	95:  6,   // talk, asking: question
	100: 4,   // victory: cheer
	101: gestureWave,
}

// gestureOf is the emote of a text.
func gestureOf(text uint32) uint32 {
	if text < uint32(len(gestures)) {
		return uint32(gestures[text])
	}
	return gestureNone
}

// move has a player show an emote. A dance is a state of the unit.
func (s *Emotes) move(e ecs.Entity, gesture uint32) {
	switch gesture {
	case gestureNone:
	case gestureDance:
		s.dances.Emit(Dance{e})
	default:
		s.show(e, gesture)
	}
}

// show broadcasts a player's emote.
//
// Source: Unit::HandleEmoteCommand, AzerothCore.
func (s *Emotes) show(e ecs.Entity, gesture uint32) {
	s.emoted = msg.Emoted{Emote: gesture, GUID: s.objects.Get(e).GUID}
	s.out.Broadcast(e, msg.OpEmoted, &s.emoted)
}

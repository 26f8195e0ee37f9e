package session

import (
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
)

func (s *Session) charEnum(t *Turn, _ *msg.Empty) {
	s.ask(t, Request{Kind: ListCharacters})
}

// charactersListed ends the session if the store failed. The protocol has no list that failed, and a player
// that is shown an empty one makes a second character.
func (s *Session) charactersListed(t *Turn, a *Answer) {
	if a.Outcome != Done {
		s.close(t, Busy)
		return
	}
	list := make([]msg.Character, len(a.Characters))
	for i := range list {
		list[i] = card(&a.Characters[i])
	}
	t.send(msg.OpCharEnum, &msg.CharEnum{Characters: list})
}

// card is a character as the character screen shows it.
//
// Source: Player::BuildEnumData, AzerothCore.
func card(c *frame.Character) msg.Character {
	return msg.Character{
		GUID: c.GUID,
		Name: c.Name,
		Look: msg.Look{
			Race: c.Race, Class: c.Class, Gender: c.Gender, Skin: c.Skin, Face: c.Face,
			HairStyle: c.HairStyle, HairColor: c.HairColor, FacialStyle: c.Facial,
		},
		Level: c.Level,
		Zone:  c.Zone, Map: c.Map, Position: wire.Vec3{X: c.X, Y: c.Y, Z: c.Z},
		FirstLogin: !c.Begun,
	}
}

// charCreate leaves it to the store to judge name and appearance.
func (s *Session) charCreate(t *Turn, m *msg.CharCreate) {
	s.ask(t, Request{Kind: CreateCharacter, Character: frame.Character{
		Account: s.account, Name: m.Name, Level: 1,
		Race: m.Look.Race, Class: m.Look.Class, Gender: m.Look.Gender, Skin: m.Look.Skin, Face: m.Look.Face,
		HairStyle: m.Look.HairStyle, HairColor: m.Look.HairColor, Facial: m.Look.FacialStyle,
	}})
}

// created is the answer to the creation of a character. Every outcome that is not here has failed.
var created = map[Outcome]msg.Result{
	Done:        msg.CharCreated,
	Taken:       msg.CharNameInUse,
	TooMany:     msg.CharAccountLimit,
	Full:        msg.CharServerLimit,
	Unplayable:  msg.CharRestricted,
	NameMissing: msg.NameMissing,
	NameLetters: msg.NameInvalidCharacter,
	NameShort:   msg.NameTooShort,
	NameLong:    msg.NameTooLong,
}

func (s *Session) characterCreated(t *Turn, a *Answer) {
	result, ok := created[a.Outcome]
	if !ok {
		result = msg.CharCreateFailed
	}
	if a.Outcome != Done {
		s.ignore(t, CreateRefused, a.Outcome)
	}
	t.send(msg.OpCharCreateResult, &msg.CharResult{Result: result})
}

func (s *Session) charDelete(t *Turn, m *msg.CharDelete) {
	s.ask(t, Request{Kind: DeleteCharacter, GUID: m.GUID})
}

func (s *Session) characterDeleted(t *Turn, a *Answer) {
	result := msg.CharDeleteFailed
	if a.Outcome == Done {
		result = msg.CharDeleted
	} else {
		s.ignore(t, DeleteRefused, a.Outcome)
	}
	t.send(msg.OpCharDeleteResult, &msg.CharResult{Result: result})
}

func (s *Session) playerLogin(t *Turn, m *msg.PlayerLogin) {
	s.state = msg.Entering
	s.ask(t, Request{Kind: EnterWorld, GUID: m.GUID})
}

// Travel reports that the character has left its world for another map, where the client finds itself once it
// has loaded it.
func (s *Session) Travel(t *Turn, to *msg.Place) {
	if s.state != msg.World {
		s.Left(t)
		return
	}
	s.state = msg.Transfer
	t.send(msg.OpNewWorld, to)
}

// worldportAck enters the map that the client has loaded.
func (s *Session) worldportAck(t *Turn, _ *msg.Empty) {
	s.state = msg.Entering
	s.ask(t, Request{Kind: EnterWorld, GUID: s.character.GUID})
}

// characterLoaded waits for the world, whose first packets answer the client, or goes back to the
// character screen.
func (s *Session) characterLoaded(t *Turn, a *Answer) {
	if a.Outcome == Done {
		s.character, s.lately = a.Character, a.Character.GUID
		s.synced = t.Now
		return
	}
	s.ignore(t, EnterRefused, a.Outcome)
	if a.Outcome == Elsewhere {
		s.state = msg.Transfer
		t.send(msg.OpTransferAborted, &a.Abort)
		t.send(msg.OpNewWorld, &a.Destination)
		return
	}
	s.state, s.character = msg.Select, frame.Character{}
	result := msg.LoginFailed
	switch a.Outcome {
	case NotFound:
		result = msg.LoginNoCharacter
	case NoWorld:
		result = msg.LoginNoWorld
	}
	t.send(msg.OpCharacterLoginFailed, &msg.CharResult{Result: result})
}

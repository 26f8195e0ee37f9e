package session

import (
	"muster/net/protocol/msg"
	"muster/net/replication/frame"
)

// A RequestKind is what a session wants to read or to have done.
type RequestKind uint8

// The requests. Of its account a session may ask after FindKey was answered.
const (
	Nothing         RequestKind = iota
	FindKey                     // the session key of Name
	ListCharacters              // of the account
	CreateCharacter             // for the account, where new characters begin
	DeleteCharacter             // GUID, if it is the account's
	EnterWorld                  // with GUID, if it is the account's
	FindName                    // and race, class and gender of GUID
	Relay                       // Message, which is about players anywhere
	Perform                     // the command in the line Name
	TakePlace                   // on the character screen, or in the queue for it
	ListCaches                  // of the account, if GUID is 0, or of its character GUID
	SaveCache                   // Message, an UpdateAccountData, of the same
)

// A Request is something that only the session's owner can do. The session reads no further until it is
// given an Answer, so there is one at a time.
type Request struct {
	Kind      RequestKind
	Name      string          // of an account, in upper case; of a command, its line
	GUID      uint64          // of a character
	Character frame.Character // to be created: its name and appearance
	Message   msg.Message     // to be relayed: a ChatMessage, JoinChannel, LeaveChannel, ChannelListQuery or Who; to be kept
	Cache     uint32          // the one of ListCaches to be sent; caches for their times alone
}

// An Outcome is how a request ended.
type Outcome uint8

// The outcomes.
const (
	Done        Outcome = iota
	Failed              // for now: the store is busy or broken
	NotFound            // no such account, key or character, or not the account's
	NoWorld             // the character's map is not served
	Taken               // the name is another's
	TooMany             // characters for one account, or too much that it leaves
	Full                // there is no room for another, nor in the queue
	Unplayable          // race, class or gender
	NameMissing         // the name is empty
	NameLetters         // has other letters than it may
	NameShort           // has too few
	NameLong            // has too many
	Elsewhere           // the character cannot be where it was going, and is at Answer.Destination
)

var outcomeNames = [...]string{
	"done", "the store does not answer", "not found", "its map is not served", "the name is taken", "too many", "no room",
	"no such race, class or gender", "no name", "letters of the name", "name too short", "name too long",
	"it is elsewhere",
}

func (o Outcome) String() string { return outcomeNames[o] }

// An Answer ends a request.
type Answer struct {
	Outcome Outcome

	Account   uint32 // FindKey
	Key       [40]byte
	Level     uint8
	Expansion uint8 // the last that the account may play
	Banned    bool
	Locked    bool // the realm does not let it in

	Characters  []frame.Character       // ListCharacters: all, in order
	Character   frame.Character         // EnterWorld, FindName
	Packets     []byte                  // Relay: packets for the client, with plain headers
	Lines       []string                // Perform: lines for the client
	Abort       msg.TransferAborted     // EnterWorld: with Elsewhere
	Destination msg.Place               // EnterWorld: with Elsewhere
	Place       int                     // TakePlace: in the queue, from 1; 0 it is in
	Caches      []msg.UpdateAccountData // ListCaches: those that are not empty
}

// ask stops the session until the answer comes.
func (s *Session) ask(t *Turn, r Request) {
	s.asked, t.Asked = r, r
}

// Asked is the request that waits for its answer; its Kind is Nothing if none does.
func (s *Session) Asked() *Request { return &s.asked }

// Answer ends the open request; the session reads on. It does nothing if the session is closed, or has
// asked nothing.
func (s *Session) Answer(t *Turn, a *Answer) {
	asked := s.asked
	s.asked = Request{}
	if s.closed {
		return
	}
	s.drop()
	switch asked.Kind {
	case FindKey:
		s.keyFound(t, a)
	case ListCharacters:
		s.charactersListed(t, a)
	case CreateCharacter:
		s.characterCreated(t, a)
	case DeleteCharacter:
		s.characterDeleted(t, a)
	case EnterWorld:
		s.characterLoaded(t, a)
	case FindName:
		s.nameFound(t, asked.GUID, a)
	case Relay:
		s.relayed(t, a)
	case Perform:
		s.commandDone(t, a)
	case TakePlace:
		s.placed(t, a)
	case ListCaches:
		s.cachesListed(t, asked.Cache, a)
	case SaveCache:
		s.cacheSaved(t, asked.Message.(*msg.UpdateAccountData).Cache, a)
	}
	s.resume(t)
}

package msg

import (
	"reflect"
	"strings"
)

// A Direction is which side sends a message.
type Direction uint8

// The directions. A row of Both has the same body either way.
const (
	ToServer Direction = 1 << iota
	ToClient
	Both = ToServer | ToClient
)

// A State is a set of states in which a connection can be.
type State uint8

// The states of a connection.
const (
	Fresh    State = 1 << iota // until CMSG_AUTH_SESSION is accepted
	Select                     // on the character screen
	Entering                   // a character has been chosen and is not yet in its world
	World                      // in the world
	Transfer                   // between two maps, until the client has loaded the next
	Queued                     // waiting to be let in to the character screen

	// Always is every state of sessions that are let in.
	Always = Select | Entering | World | Transfer
)

// String is the names of the states in a set, joined by "|".
func (set State) String() string {
	var all []string
	for i, name := range stateNames {
		if set&(1<<i) != 0 {
			all = append(all, name)
		}
	}
	return strings.Join(all, "|")
}

var stateNames = [...]string{"fresh", "select", "entering", "world", "transfer", "queued"}

// Has reports whether s is in the set.
func (set State) Has(s State) bool { return set&s != 0 }

// A Route is which part handles a message from a client.
type Route uint8

// The routes.
const (
	Ignored   Route = iota // none: ignore it; it has a row so as not to count as unknown
	ToSession              // the connection itself answers or remembers
	ToWorld                // goes into the inbox
)

// A Row is one message in one direction, or in both if its body is the same.
//
// For a message from a client, Allowed and Route decide how it is handled. An opcode without a row is
// unknown. An opcode with a row that does not allow the state is known but out of place: an honest client
// can send one, such as the last steps of a character that has just been logged out. Either is counted and
// ignored, except that a Fresh connection may send only what its rows allow.
//
// Source: WorldSession::Update, AzerothCore (STATUS_AUTHED, STATUS_LOGGEDIN, STATUS_TRANSFER; what does not
// fit is logged and dropped).
type Row struct {
	Op        uint16
	Name      string
	Direction Direction
	Allowed   State // zero for a message that only servers send
	Route     Route // Ignored for a message that only servers send

	new func() Message
	typ reflect.Type
}

// New returns a zero message of the row.
func (r *Row) New() Message { return r.new() }

// Lookup is the row of an opcode in a direction, nil if the opcode is unknown. It takes an index, not a
// search, and any number from the wire.
func Lookup(d Direction, op uint32) *Row {
	if op >= Opcodes {
		return nil
	}
	if d == ToServer {
		return fromClient[op]
	}
	return fromServer[op]
}

// IsMove reports whether an opcode from a client is one with which a mover moves: its body is a Move, and it
// goes to the world. It takes an index.
func IsMove(op uint16) bool { return op < Opcodes && isMove[op] }

// New returns a zero message by its name in Table, nil for a name that is not there. Of a name with a row
// for each direction it takes the one to servers.
func New(name string) Message {
	for i := range Table {
		if Table[i].Name == name {
			return Table[i].New()
		}
	}
	return nil
}

// Opcodes is one more than the largest opcode of build 12340.
//
// Source: NUM_MSG_TYPES, Opcodes.h, AzerothCore.
const Opcodes = 0x51F

var (
	fromClient, fromServer = index()
	isMove                 = moves()
	names                  = typeNames()
)

func index() (client, server [Opcodes]*Row) {
	for i := range Table {
		r := &Table[i]
		if r.Direction&ToServer != 0 {
			client[r.Op] = r
		}
		if r.Direction&ToClient != 0 {
			server[r.Op] = r
		}
	}
	return client, server
}

func moves() (set [Opcodes]bool) {
	for op, r := range fromClient {
		set[op] = r != nil && r.typ == reflect.TypeFor[*Move]() && r.Route == ToWorld
	}
	return set
}

// typeNames names the types that have exactly one row.
func typeNames() map[reflect.Type]string {
	rows := make(map[reflect.Type]int)
	for i := range Table {
		rows[Table[i].typ]++
	}
	names := make(map[reflect.Type]string)
	for i := range Table {
		if t := Table[i].typ; rows[t] == 1 {
			names[t] = Table[i].Name
		}
	}
	return names
}

func typeOf(m Message) reflect.Type { return reflect.TypeOf(m) }

// body is a pointer to T that is a message.
type body[T any] interface {
	*T
	Message
}

func row[T any, M body[T]](op uint16, name string, d Direction, allowed State, route Route) Row {
	return Row{
		Op: op, Name: name, Direction: d, Allowed: allowed, Route: route,
		new: func() Message { return M(new(T)) },
		typ: reflect.TypeFor[M](),
	}
}

// sent is the row of a message that only servers send.
func sent[T any, M body[T]](op uint16, name string) Row {
	return row[T, M](op, name, ToClient, 0, Ignored)
}

// move is the row of a message with which a mover moves, and which is relayed to observers.
func move(op uint16, name string) Row {
	return row[Move](op, name, Both, World, ToWorld)
}

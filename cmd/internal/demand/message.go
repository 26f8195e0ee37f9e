// Package demand has a snapshot taken, now, of a world that a worker has with a log in a stream: what is asked and answered, and the part of who asks. Package replica
// has that of workers.
package demand

import (
	"bytes"
	"encoding/json"
)

// An Ask asks the process that has a world to keep a snapshot of it, as JSON after asks on remote.Address.Lead.
type Ask struct {
	ID uint64 `json:"id"` // of the question: it is repeated until it is answered; not 0
}

// An Answer is what that answers, as JSON after answers on the same subject: the snapshot is kept, or why not.
type Answer struct {
	ID   uint64 `json:"id"`
	Tick uint64 `json:"tick,omitempty"` // after which the world is
	Hash []byte `json:"xxh3,omitempty"` // of its state
	Why  string `json:"why,omitempty"`
}

// What the messages begin with. A process of a release without them takes neither for a heartbeat.
const (
	asks    = "snap "
	answers = "snapped "
)

// maxMessage bounds a message, in bytes.
const maxMessage = 4096

// Append appends the message.
func (m *Ask) Append(b []byte) []byte { return add(b, asks, m) }

// Append appends the message.
func (m *Answer) Append(b []byte) []byte { return add(b, answers, m) }

func add(b []byte, begin string, m any) []byte {
	text, err := json.Marshal(m)
	if err != nil {
		panic(err) // numbers and text
	}
	return append(append(b, begin...), text...)
}

// ReadAsk reads what Append wrote. It is not ok if a message is none.
func ReadAsk(b []byte) (m Ask, ok bool) {
	ok = read(b, asks, &m) && m.ID != 0
	return m, ok
}

// ReadAnswer reads what Append wrote. It is not ok if a message is none.
func ReadAnswer(b []byte) (m Answer, ok bool) {
	ok = read(b, answers, &m) && m.ID != 0
	return m, ok
}

func read(b []byte, begin string, m any) bool {
	text, ok := bytes.CutPrefix(b, []byte(begin))
	return ok && len(b) <= maxMessage && json.Unmarshal(text, m) == nil
}

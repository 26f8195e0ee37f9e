package remote

import (
	"slices"
	"time"
)

// An outgoing is the sending end of a stream whose messages arrive once each, in order: it keeps what is not acknowledged.
type outgoing struct {
	next uint64 // number of the next message, from 1
	kept []sent
	size int      // bytes of kept
	idle [][]byte // the memory of messages that are not kept any more, for others
}

// maxIdle is how many there are at most, our own choice: about as many as are sent in a second of the shortest steps, of maxPart bytes each at most.
const maxIdle = 128

// room is memory for a message, of length 0.
func (o *outgoing) room() []byte {
	n := len(o.idle)
	if n == 0 {
		return nil
	}
	b := o.idle[n-1]
	o.idle = o.idle[:n-1]
	return b
}

type sent struct {
	number uint64
	body   []byte
	at     time.Time // when it was sent last
}

// full reports whether it keeps so much that nothing should be added.
func (o *outgoing) full() bool { return o.size >= maxUnacked }

// add numbers a message, which it keeps: its body, in memory of room or other memory, is the stream's from then on.
func (o *outgoing) add(body []byte, now time.Time) (number uint64) {
	o.next++
	o.kept = append(o.kept, sent{o.next, body, now})
	o.size += len(body)
	return o.next
}

// acknowledge forgets the messages up to a number.
func (o *outgoing) acknowledge(number uint64) {
	n := 0
	for n < len(o.kept) && o.kept[n].number <= number {
		body := o.kept[n].body
		o.size -= len(body)
		if len(o.idle) < maxIdle {
			o.idle = append(o.idle, body[:0])
		}
		n++
	}
	o.kept = slices.Delete(o.kept, 0, n)
}

// late reports whether something will be due soon, or is.
func (o *outgoing) late(now time.Time) bool {
	return len(o.kept) > 0 && now.Sub(o.kept[0].at) >= repeatAge-2*lookEvery
}

// due visits what is to be sent again, from the oldest on, if that was sent so long ago.
func (o *outgoing) due(now time.Time, age time.Duration, send func(number uint64, body []byte)) {
	if len(o.kept) == 0 || now.Sub(o.kept[0].at) < age {
		return
	}
	bytes := 0
	for i := range o.kept {
		s := &o.kept[i]
		if bytes += len(s.body); i > 0 && bytes > maxRepeat {
			return
		}
		s.at = now
		send(s.number, s.body)
	}
}

// An incoming is the receiving end: it keeps what comes too soon.
type incoming struct {
	last  uint64 // that was taken
	ahead map[uint64][]byte
}

// take takes a message, of which it keeps nothing but a copy, and visits those whose turn it is now. It is repeated if it
// was taken before. A message for which visit is false is not taken: its turn is when it is sent again.
func (in *incoming) take(number uint64, body []byte, visit func(body []byte) bool) (repeated bool) {
	if number <= in.last || in.ahead[number] != nil {
		return true
	}
	if number != in.last+1 {
		if len(in.ahead) < maxAhead {
			if in.ahead == nil {
				in.ahead = make(map[uint64][]byte)
			}
			in.ahead[number] = append([]byte{}, body...)
		}
		return false
	}
	for ok := true; ok; body, ok = in.ahead[in.last+1] {
		delete(in.ahead, in.last+1)
		if !visit(body) {
			break
		}
		in.last++
	}
	return false
}

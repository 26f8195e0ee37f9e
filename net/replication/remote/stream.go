package remote

import "time"

// An outgoing is the sending end of a stream whose messages arrive once each, in order: it keeps what is not acknowledged.
type outgoing struct {
	next uint64 // number of the next message, from 1
	kept []sent
	size int // bytes of kept
}

type sent struct {
	number uint64
	body   []byte
	at     time.Time // when it was sent last
}

// full reports whether it keeps so much that nothing should be added.
func (o *outgoing) full() bool { return o.size >= maxUnacked }

// add numbers a message, which it keeps.
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
		o.size -= len(o.kept[n].body)
		n++
	}
	clear(o.kept[:n])
	o.kept = o.kept[n:]
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

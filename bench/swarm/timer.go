package swarm

// A moment is a time of the run: nanoseconds since Run began, on the monotonic clock.
type moment int64

// A timer says what is due for which client, and when.
//
// Timers are never cancelled: one that no longer fits the stage of its client is dropped when it comes up.
type timer struct {
	at     moment
	client int32
	kind   timerKind
}

type timerKind uint8

const (
	timerLogin    timerKind = iota // begin, or begin again, to log in
	timerDeadline                  // the login has taken too long
	timerMove                      // the next step of the client's schedule
	timerPing
)

// timers is a binary heap, earliest first; equal times leave in order of client and kind, so that a run does not depend
// on how the heap was filled. It allocates only while it grows.
type timers []timer

func (a timer) before(b timer) bool {
	if a.at != b.at {
		return a.at < b.at
	}
	if a.client != b.client {
		return a.client < b.client
	}
	return a.kind < b.kind
}

func (h *timers) push(t timer) {
	*h = append(*h, t)
	s := *h
	i := len(s) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !t.before(s[up]) {
			break
		}
		s[i] = s[up]
		i = up
	}
	s[i] = t
}

// next is the earliest timer's time; ok is false if there is none.
func (h timers) next() (at moment, ok bool) {
	if len(h) == 0 {
		return 0, false
	}
	return h[0].at, true
}

// pop takes the earliest timer. The heap must not be empty.
func (h *timers) pop() timer {
	s := *h
	first, last := s[0], s[len(s)-1]
	s = s[:len(s)-1]
	*h = s
	i := 0
	for {
		child := 2*i + 1
		if child >= len(s) {
			break
		}
		if child+1 < len(s) && s[child+1].before(s[child]) {
			child++
		}
		if !s[child].before(last) {
			break
		}
		s[i] = s[child]
		i = child
	}
	if len(s) > 0 {
		s[i] = last
	}
	return first
}

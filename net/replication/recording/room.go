package recording

// A Room is memory for the states of snapshots, one at a time. It is made beside the tick: memory that was never written to is slow to
// write to, as the system provides each page then. The goroutine that steps the world calls its methods, but for Return.
type Room struct {
	b     []byte
	fresh chan []byte // has what was made, or was returned
	out   bool        // it is in use, or being made
}

// NewRoom returns a room of no bytes.
func NewRoom() *Room { return &Room{fresh: make(chan []byte, 1)} }

// Need begins to make room for n bytes, if there is less. It does not wait.
func (r *Room) Need(n int) {
	if r.look(); r.out || cap(r.b) >= n {
		return
	}
	r.b, r.out = nil, true
	go func() { r.Return(touched(n + n/8)) }()
}

// Take returns what room there is, of length 0. The caller returns it, or what takes its place if it is too small: none if it is being
// made.
func (r *Room) Take() []byte {
	if r.look(); r.out {
		return nil
	}
	b := r.b[:0]
	r.b, r.out = nil, true
	return b
}

// Return gives back what Take has returned, or what has taken its place. Any goroutine may call it.
func (r *Room) Return(b []byte) {
	select {
	case r.fresh <- b:
	default: // the other one is as good
	}
}

// Made waits until what is being made, or in use, is there.
func (r *Room) Made() {
	if r.out {
		r.b, r.out = <-r.fresh, false
	}
}

// Wait waits until no room is being made, and forgets what there is. Nothing may be out.
func (r *Room) Wait() {
	r.Made()
	r.b = nil
}

func (r *Room) look() {
	select {
	case r.b = <-r.fresh:
		r.out = false
	default:
	}
}

// touched returns memory that has been written to.
func touched(n int) []byte {
	const page = 4096
	b := make([]byte, n)
	for i := 0; i < n; i += page {
		b[i] = 0
	}
	return b
}

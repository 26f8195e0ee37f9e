package gate

import "sync"

// workers are a few goroutines that do what may take a while. What sessions ask for may be refused; what
// is owed to them, their saves, may not, and goes first: there is at most one for each player.
type workers struct {
	limit int // of what is asked for

	mu      sync.Mutex
	waiting *sync.Cond
	asked   []func()
	owed    []func()
	stopped bool
	wg      sync.WaitGroup
}

func startWorkers(n, limit int) *workers {
	w := &workers{limit: limit}
	w.waiting = sync.NewCond(&w.mu)
	for range n {
		w.wg.Go(w.work)
	}
	return w
}

// ask has something done, unless too much waits already.
func (w *workers) ask(do func()) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.asked) >= w.limit || w.stopped {
		return false
	}
	w.asked = append(w.asked, do)
	w.waiting.Signal()
	return true
}

// owe has something done in any case.
func (w *workers) owe(do func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.owed = append(w.owed, do)
	w.waiting.Signal()
}

// stop returns when everything is done.
func (w *workers) stop() {
	w.mu.Lock()
	w.stopped = true
	w.waiting.Broadcast()
	w.mu.Unlock()
	w.wg.Wait()
}

func (w *workers) work() {
	for {
		do := w.next()
		if do == nil {
			return
		}
		do()
	}
}

// next is the next thing to do; nil when there will be none.
func (w *workers) next() (do func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for {
		switch {
		case len(w.owed) > 0:
			do, w.owed = w.owed[0], w.owed[1:]
			return do
		case len(w.asked) > 0:
			do, w.asked = w.asked[0], w.asked[1:]
			return do
		case w.stopped:
			return nil
		}
		w.waiting.Wait()
	}
}

package gate

import "sync"

// workers are a few goroutines that do what may take a while, in the order in which it was asked for.
type workers struct {
	limit int // of what waits; 0 is none

	mu      sync.Mutex
	waiting *sync.Cond
	queue   []func()
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

// ask has something done, unless too much waits already or the workers are to stop.
func (w *workers) ask(do func()) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.limit > 0 && len(w.queue) >= w.limit || w.stopped {
		return false
	}
	w.queue = append(w.queue, do)
	w.waiting.Signal()
	return true
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
	for len(w.queue) == 0 {
		if w.stopped {
			return nil
		}
		w.waiting.Wait()
	}
	do, w.queue[0] = w.queue[0], nil
	w.queue = w.queue[1:]
	return do
}

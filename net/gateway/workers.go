package gateway

import "sync"

// workers are a few goroutines that do what may take a while, in the order in which it was asked for.
type workers struct {
	asked chan func()
	wg    sync.WaitGroup
}

// startWorkers starts n goroutines. At most limit things wait for them.
func startWorkers(n, limit int) *workers {
	w := &workers{asked: make(chan func(), limit)}
	for range n {
		w.wg.Go(func() {
			for do := range w.asked {
				do()
			}
		})
	}
	return w
}

// ask has something done, unless too much waits already. It does not block.
func (w *workers) ask(do func()) bool {
	select {
	case w.asked <- do:
		return true
	default:
		return false
	}
}

// must has something done, and blocks while too much waits.
func (w *workers) must(do func()) { w.asked <- do }

// stop returns when everything is done. Nothing may be asked for after it.
func (w *workers) stop() {
	close(w.asked)
	w.wg.Wait()
}

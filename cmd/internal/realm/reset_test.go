package realm

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"muster/cmd/internal/storesnapshot"
	"muster/loaders/store"
)

// A reset that is asked for while the server says that it is ready waits until it has: both need the settings.
func TestResetWhileTheServerBegins(t *testing.T) {
	config, kept := newConfig(t, "--ephemeral", "--creatures", "100"), store.NewMemory(store.MemoryConfig{})
	r, err := New(config, kept, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	if r.snapshots, err = storesnapshot.New(t.Context(), kept); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	ready, answered := make(chan string), make(chan int, 1)
	go func() {
		defer stop()
		url, status := "http://"+<-ready+"/api/world/reset", http.StatusConflict
		for status == http.StatusConflict && ctx.Err() == nil { // held, below, has the lock now and then
			answer, err := http.Post(url, "application/json", strings.NewReader("{}"))
			if err != nil {
				t.Error(err)
				break
			}
			answer.Body.Close()
			status = answer.StatusCode
		}
		answered <- status
	}()
	held := func(m *sync.Mutex) bool {
		if !m.TryLock() {
			return true
		}
		m.Unlock()
		runtime.Gosched()
		return false
	}
	if err := r.Serve(ctx, func(at Open) error {
		ready <- at.Admin.String()
		for !held(&r.snapshots.Busy) && ctx.Err() == nil { // until the request is there
		}
		for tried := time.Now(); time.Since(tried) < time.Second/5 && ctx.Err() == nil; { // which must not take the settings then
			if held(&config.changing) {
				stop()
				return errors.New("a reset holds the settings while the server begins")
			}
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
	if status := <-answered; status != http.StatusOK {
		t.Errorf("the reset is answered %d", status)
	}
}

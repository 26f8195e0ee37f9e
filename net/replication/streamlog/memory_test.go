package streamlog

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"time"
)

// A memory is a stream in memory, whose appends fail as they are told.
type memory struct {
	mu        sync.Mutex
	number    uint64
	messages  map[string][]Message
	snapshots map[string][]byte
	fail      int               // so many appends fail, before they are done
	unsure    int               // so many fail after they were done
	failure   error             // of these
	slow      bool              // snapshots take longer than anyone waits
	stuck     chan struct{}     // appends wait for it; nil: they do not
	changed   chan struct{}     // closed at the next append
	reading   func(name string) // is called before a snapshot is read, unless it is nil
}

var errMemory = errors.New("the stream does not answer")

func newMemory() *memory {
	return &memory{messages: make(map[string][]Message), snapshots: make(map[string][]byte), changed: make(chan struct{}), failure: errMemory}
}

func (m *memory) Append(ctx context.Context, subject string, message []byte, last uint64) (uint64, error) {
	if m.stuck != nil {
		select {
		case <-m.stuck:
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail > 0 {
		m.fail--
		return 0, m.failure
	}
	if n := len(m.messages[subject]); n == 0 && last != 0 || n > 0 && m.messages[subject][n-1].Number != last {
		return 0, ErrMoved
	}
	m.number += 3 // others are between
	m.messages[subject] = append(m.messages[subject], Message{m.number, time.Now(), append([]byte{}, message...)})
	close(m.changed)
	m.changed = make(chan struct{})
	if m.unsure > 0 {
		m.unsure--
		return 0, errMemory
	}
	return m.number, nil
}

func (m *memory) Last(_ context.Context, subject string) (last Message, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if n := len(m.messages[subject]); n > 0 {
		last = m.messages[subject][n-1]
	}
	return last, nil
}

func (m *memory) Now(context.Context) (time.Time, error) { return time.Now(), nil }

func (m *memory) Follow(ctx context.Context, subject string, from uint64, take func(Message)) error {
	for ctx.Err() == nil {
		m.mu.Lock()
		var next *Message
		for i := range m.messages[subject] {
			if at := m.messages[subject][i]; at.Number >= from {
				next = &at
				break
			}
		}
		changed := m.changed
		m.mu.Unlock()
		if next != nil {
			take(*next)
			from = next.Number + 1
			continue
		}
		select {
		case <-changed:
		case <-ctx.Done():
		}
	}
	return nil
}

func (m *memory) Purge(_ context.Context, subject string, before uint64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	var kept []Message
	for _, at := range m.messages[subject] {
		if before != 0 && at.Number >= before {
			kept = append(kept, at)
		}
	}
	m.messages[subject] = kept
	return nil
}

func (m *memory) Put(ctx context.Context, name string, snapshot io.Reader) error {
	if m.slow {
		<-ctx.Done()
		return ctx.Err()
	}
	b, err := io.ReadAll(snapshot)
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.snapshots[name] = b
	return nil
}

func (m *memory) Get(_ context.Context, name string) ([]byte, error) {
	if m.reading != nil {
		m.reading(name)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.snapshots[name], nil
}

func (m *memory) Names(_ context.Context, prefix string) (names []string, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for name := range m.snapshots {
		if strings.HasPrefix(name, prefix) {
			names = append(names, name)
		}
	}
	return names, nil
}

func (m *memory) Delete(_ context.Context, name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.snapshots, name)
	return nil
}

package gateway

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"muster/loaders/store"
	"muster/net/gateway/session"
	"muster/net/protocol/msg"
)

// A sickStore is one whose medium may be away, or may not answer at all, not even when its context ends.
type sickStore struct {
	*store.Memory
	ill   atomic.Pointer[illness] // of all but saves
	saves atomic.Pointer[illness]
	calls atomic.Int32 // of all but saves
}

// An illness is what a call waits for, and what it returns then.
type illness struct {
	over <-chan struct{}
	err  error
}

// recovery returns a channel and what closes it, once.
func recovery() (over chan struct{}, heal func()) {
	over = make(chan struct{})
	return over, sync.OnceFunc(func() { close(over) })
}

func (s *sickStore) treat() error {
	s.calls.Add(1)
	if ill := s.ill.Load(); ill != nil {
		<-ill.over
		return ill.err
	}
	return nil
}

func (s *sickStore) Proven(ctx context.Context, name string) (store.Proven, error) {
	if err := s.treat(); err != nil {
		return store.Proven{}, err
	}
	return s.Memory.Proven(ctx, name)
}

func (s *sickStore) Characters(ctx context.Context, account uint32) ([]store.Character, error) {
	if err := s.treat(); err != nil {
		return nil, err
	}
	return s.Memory.Characters(ctx, account)
}

func (s *sickStore) Character(ctx context.Context, guid uint64) (store.Character, error) {
	if err := s.treat(); err != nil {
		return store.Character{}, err
	}
	return s.Memory.Character(ctx, guid)
}

func (s *sickStore) CreateCharacter(ctx context.Context, c store.Character) (store.Character, error) {
	if err := s.treat(); err != nil {
		return store.Character{}, err
	}
	return s.Memory.CreateCharacter(ctx, c)
}

func (s *sickStore) DeleteCharacter(ctx context.Context, account uint32, guid uint64) error {
	if err := s.treat(); err != nil {
		return err
	}
	return s.Memory.DeleteCharacter(ctx, account, guid)
}

func (s *sickStore) SaveCharacter(ctx context.Context, c store.Character) error {
	if ill := s.saves.Load(); ill != nil {
		<-ill.over
		return ill.err
	}
	return s.Memory.SaveCharacter(ctx, c)
}

// TestStaleRequests: requests that are out of time are not made to the store when it works again.
func TestStaleRequests(t *testing.T) {
	sick := new(sickStore)
	r := newRig(t, func(c *Config) {
		sick.Memory = c.Store.(*store.Memory)
		c.Store, c.Workers, c.StoreTime = sick, 1, 300*time.Millisecond
	})
	var clients []*testClient
	for _, name := range []string{"ALICE", "BOB", "CAROL", "DAVE"} {
		clients = append(clients, r.dial(name).login())
	}
	over, heal := recovery()
	defer heal()
	sick.ill.Store(&illness{over, store.ErrBusy})
	before := sick.calls.Load()
	for _, c := range clients {
		c.say(msg.OpCharEnumQuery, &msg.Empty{})
	}
	r.closed(session.Busy, uint64(len(clients)))
	sick.ill.Store(nil)
	heal()
	r.dial("ERIN").login() // after all that waited
	if n := sick.calls.Load() - before; n != 2 {
		t.Errorf("the store was asked %d times, want 2: for the first, and for the last", n)
	}
}

// TestSlowCreate: a finished creation does not wait for an unfinished one, and has another number. The
// number of a creation that failed is the next one's.
func TestSlowCreate(t *testing.T) {
	sick := new(sickStore)
	r := newRig(t, func(c *Config) {
		sick.Memory = c.Store.(*store.Memory)
		c.Store = sick
	})
	a, b, c := r.dial("ALICE").login(), r.dial("BOB").login(), r.dial("CAROL").login()
	over, heal := recovery()
	defer heal()
	sick.ill.Store(&illness{over, store.ErrBusy})
	before := sick.calls.Load()
	a.say(msg.OpCharCreate, &msg.CharCreate{Name: "Alice", Look: msg.Look{Race: 1, Class: 1}})
	until(t, "the store has it", func() bool { return sick.calls.Load() == before+1 })
	sick.ill.Store(nil)
	if b.character(); r.stored(b.guid).X != 1 {
		t.Errorf("the second begins at x = %v, want 1", r.stored(b.guid).X)
	}
	heal()
	if got := a.expect(msg.OpCharCreateResult); got[0] != uint8(msg.CharCreateFailed) {
		t.Errorf("create: %#x, want %#x", got[0], msg.CharCreateFailed)
	}
	if c.character(); r.stored(c.guid).X != 0 {
		t.Errorf("the third begins at x = %v, want 0", r.stored(c.guid).X)
	}
	if a.character(); r.stored(a.guid).X != 2 {
		t.Errorf("the first begins at x = %v in the end, want 2", r.stored(a.guid).X)
	}
}

// TestSavesThatFail has more players leave than there are workers, and a store that saves none: others do not
// wait for them.
func TestSavesThatFail(t *testing.T) {
	sick := new(sickStore)
	r := newRig(t, func(c *Config) {
		sick.Memory = c.Store.(*store.Memory)
		c.Store, c.Workers = sick, 1
	})
	a, b, c := r.dial("ALICE").login().character().enter(), r.dial("BOB").login().character().enter(), r.dial("CAROL").login()
	over, heal := recovery()
	defer heal()
	sick.saves.Store(&illness{over, store.ErrBusy})
	a.reset()
	b.reset()
	until(t, "one of them waits", func() bool { return len(r.gate.saves.asked) == 1 })
	c.character().enter()
	if n := r.gate.roster.count(); n != 3 {
		t.Errorf("%d players are here, want 3: two are not saved", n)
	}
	sick.saves.Store(nil)
	heal()
	r.dial("ALICE").login().character().enter() // when it is saved
	if c := r.stored(a.guid); c.Version != 2 {
		t.Errorf("version %d is stored, want 2", c.Version)
	}
}

// TestSickStore has a store that reports that it is busy, and one that does not answer. Every client is
// answered, and all goes on when the store works again.
func TestSickStore(t *testing.T) {
	for name, silent := range map[string]bool{"busy": false, "silent": true} {
		t.Run(name, func(t *testing.T) {
			sick := new(sickStore)
			r := newRig(t, func(c *Config) {
				sick.Memory = c.Store.(*store.Memory)
				c.Store, c.Workers, c.StoreTime = sick, 2, time.Second
			})
			a, b := r.dial("ALICE").login().character(), r.dial("BOB").login()
			late := r.dial("CAROL")
			over := make(chan struct{})
			if !silent {
				close(over)
			}
			sick.ill.Store(&illness{over, store.ErrBusy})

			// More than there are workers, so some are in the queue when their time is up.
			challenge := late.expect(msg.OpAuthChallenge)
			late.Write(late.hello(challenge))
			b.say(msg.OpCharEnumQuery, &msg.Empty{})
			a.say(msg.OpCharCreate, &msg.CharCreate{Name: "Other", Look: msg.Look{Race: 1, Class: 1}})
			if got := a.expect(msg.OpCharCreateResult); got[0] != uint8(msg.CharCreateFailed) {
				t.Errorf("create: %#x, want %#x", got[0], msg.CharCreateFailed)
			}
			a.say(msg.OpCharDelete, &msg.CharDelete{GUID: a.guid})
			if got := a.expect(msg.OpCharDeleteResult); got[0] != uint8(msg.CharDeleteFailed) {
				t.Errorf("delete: %#x, want %#x", got[0], msg.CharDeleteFailed)
			}
			a.say(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: a.guid})
			if got := a.expect(msg.OpCharacterLoginFailed); got[0] != uint8(msg.LoginFailed) {
				t.Errorf("enter: %#x, want %#x", got[0], msg.LoginFailed)
			}
			late.ended()
			b.ended()
			r.closed(session.Busy, 2)

			sick.ill.Store(nil)
			if silent {
				close(over)
			}
			a.enter()
			r.dial("BOB").login().character().enter()
			r.dial("CAROL").login().character().enter()
		})
	}
}

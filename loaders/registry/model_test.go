package registry_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"muster/internal/testseed"
	"muster/loaders/registry"
)

// A model is what a registry has to know, in memory.
type model struct {
	live   map[uint32]bool   // gateways whose lease is not over
	steady map[uint32]bool   // gateways that have renewed for the time of a lease
	holder map[uint32]uint32 // gateways, by account; 0 none
	newest map[uint32]uint64 // logins that have claimed, by account
	fences map[uint32]uint64
	guids  map[uint32]uint64
}

// claim is what a claim has to return.
func (m *model) claim(gateway, account uint32, guid, login uint64) error {
	by := m.holder[account]
	switch {
	case login < m.newest[account]:
		return registry.ErrSuperseded
	case by != 0 && by != gateway && (m.live[by] || !m.live[gateway] || !m.steady[gateway]):
		return &registry.HeldError{Gateway: by, GUID: m.guids[account], Fence: m.fences[account]}
	}
	m.holder[account], m.newest[account], m.guids[account] = gateway, login, guid
	m.fences[account]++
	return nil
}

// A registry does what a model of it does, whatever gateways do in turn: claim with logins new and old, give back what is theirs and
// what is not, let their leases end, renew and begin anew.
func TestModel(t *testing.T) {
	seed := testseed.Of(t)
	dice := rand.New(rand.NewPCG(seed, 26))
	r := newRig(t)
	const gateways, accounts = 3, 4
	m := &model{
		live: make(map[uint32]bool), steady: make(map[uint32]bool), holder: make(map[uint32]uint32), newest: make(map[uint32]uint64),
		fences: make(map[uint32]uint64), guids: make(map[uint32]uint64),
	}
	members := make(map[uint32]*registry.Member)
	for g := uint32(1); g <= gateways; g++ {
		members[g], m.live[g] = r.join(fmt.Sprint(g), g), true
	}
	var logins []uint64
	outcomes := make(map[string]int)
	for n := range 600 {
		g, account := 1+dice.Uint32N(gateways), 1+dice.Uint32N(accounts)
		switch dice.IntN(10) {
		default:
			if len(logins) == 0 || dice.IntN(2) == 0 {
				logins = append(logins, r.login(members[g]))
			}
			login, guid := logins[max(0, len(logins)-1-dice.IntN(4))], dice.Uint64N(1000)
			fence, err := members[g].Claim(t.Context(), account, guid, login)
			want := m.claim(g, account, guid, login)
			var held, wantHeld *registry.HeldError
			switch {
			case errors.As(want, &wantHeld):
				if outcomes["held"]++; !errors.As(err, &held) || *held != *wantHeld {
					t.Fatalf("step %d: claimed with %v, want %+v", n, err, wantHeld)
				}
			case want != nil:
				if outcomes["superseded"]++; !errors.Is(err, want) {
					t.Fatalf("step %d: claimed with %v, want %v", n, err, want)
				}
			default:
				if outcomes["claimed"]++; err != nil || fence != m.fences[account] {
					t.Fatalf("step %d: claimed with fence %d, %v, want %d", n, fence, err, m.fences[account])
				}
			}
		case 0, 1:
			fence := m.fences[account] - min(m.fences[account], dice.Uint64N(2))
			if m.holder[account] == g && fence == m.fences[account] {
				m.holder[account] = 0
				outcomes["given back"]++
			}
			r.giveBack(members[g], account, fence)
		case 2:
			r.expire(g)
			m.live[g] = false
			for other := range members {
				m.steady[other] = true
			}
		case 3:
			if lapsed, err := members[g].Renew(t.Context(), "", 0); err != nil || lapsed == m.live[g] {
				t.Fatalf("step %d: renewed with %t, %v, want %t", n, lapsed, err, !m.live[g])
			}
			m.steady[g] = m.steady[g] && m.live[g]
			m.live[g] = true
		case 4:
			members[g], m.live[g], m.steady[g] = r.join(fmt.Sprint(g), 0), true, false
			if members[g].Number() != g {
				t.Fatalf("step %d: gateway %d begins anew as %d", n, g, members[g].Number())
			}
		}
	}
	for _, what := range []string{"held", "superseded", "claimed", "given back"} {
		if outcomes[what] < 10 {
			t.Errorf("%s %d times: the steps are no test of that", what, outcomes[what])
		}
	}
}

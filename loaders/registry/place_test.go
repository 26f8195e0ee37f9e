package registry_test

import (
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"muster/internal/testseed"
	"muster/loaders/registry"
)

// places fails the test unless some seekers are where they should be after some have ended.
func (r *rig) places(m *registry.Member, ended []registry.Ended, seekers []registry.Seeker, want map[uint64]int) {
	r.t.Helper()
	at, err := m.Places(r.t.Context(), ended, seekers)
	if err != nil || !maps.Equal(at, want) {
		r.t.Errorf("gateway %d: places %v, %v, want %v", m.Number(), at, err, want)
	}
}

func (r *rig) limit(players int) {
	r.t.Helper()
	if err := r.LimitRealm(r.t.Context(), "muster", players); err != nil {
		r.t.Fatal(err)
	}
}

// Those that wait at two gateways are in one order, and a login that ends lets the first in, at whichever gateway that waits.
func TestPlaces(t *testing.T) {
	r := newRig(t)
	one, two := r.join("one", 1), r.join("two", 2)
	r.limit(2)
	r.places(one, nil, []registry.Seeker{{1, 101, false}}, map[uint64]int{101: 0})
	r.places(two, nil, []registry.Seeker{{2, 102, false}}, map[uint64]int{102: 0})
	r.places(one, nil, []registry.Seeker{{3, 103, false}}, map[uint64]int{103: 1})
	r.places(two, nil, []registry.Seeker{{4, 104, false}}, map[uint64]int{104: 2})
	r.places(one, nil, []registry.Seeker{{5, 105, false}, {6, 106, true}}, map[uint64]int{105: 3, 106: 0})
	waitOne, waitTwo := []registry.Seeker{{3, 103, false}, {5, 105, false}}, []registry.Seeker{{4, 104, false}}

	r.places(two, []registry.Ended{{2, 102}}, waitTwo, map[uint64]int{104: 2}) // the exempt one has its place
	r.places(one, []registry.Ended{{6, 106}}, waitOne, map[uint64]int{103: 0, 105: 2})
	r.places(two, nil, waitTwo, map[uint64]int{104: 1})
	// a newer login of an account that waits, through another gateway, waits in its stead
	r.places(two, nil, []registry.Seeker{{4, 104, false}, {5, 107, false}}, map[uint64]int{104: 1, 107: 2})
	r.places(one, []registry.Ended{{5, 105}}, []registry.Seeker{{5, 105, false}}, map[uint64]int{}) // replaced
	// and one of an account that is in has its place
	r.places(two, nil, []registry.Seeker{{3, 108, false}}, map[uint64]int{108: 0})
	r.places(one, []registry.Ended{{3, 103}}, nil, map[uint64]int{}) // the older one's
	r.places(two, nil, []registry.Seeker{{4, 104, false}, {5, 107, false}}, map[uint64]int{104: 1, 107: 2})
	// of two logins at the same moment the newest counts
	r.places(one, nil, []registry.Seeker{{9, 109, false}, {9, 110, false}}, map[uint64]int{110: 3})
	r.places(two, []registry.Ended{{5, 107}}, waitTwo, map[uint64]int{104: 1})
	r.places(one, nil, []registry.Seeker{{9, 110, false}}, map[uint64]int{110: 2})
	r.limit(4)
	r.places(one, nil, []registry.Seeker{{9, 110, false}}, map[uint64]int{110: 0})
	r.places(two, nil, waitTwo, map[uint64]int{104: 0})
	if err := r.LimitRealm(t.Context(), "none", 1); !errors.Is(err, registry.ErrNoRealm) {
		t.Errorf("a realm that is not there: %v, want %v", err, registry.ErrNoRealm)
	}
}

// A gateway that is not heard of any more takes those that wait at it out of the order, and its places are free when its lease is over, or when it leaves.
func TestPlacesOfDeadGateways(t *testing.T) {
	r := newRig(t)
	one, two := r.join("one", 1), r.join("two", 2)
	r.limit(1)
	r.places(one, nil, []registry.Seeker{{1, 101, false}}, map[uint64]int{101: 0})
	r.places(one, nil, []registry.Seeker{{2, 102, false}}, map[uint64]int{102: 1})
	last := []registry.Seeker{{3, 103, false}}
	r.places(two, nil, last, map[uint64]int{103: 2})
	r.exec("UPDATE cluster.gateways SET heard = now() - interval '5 seconds' WHERE number = 1")
	r.places(two, nil, last, map[uint64]int{103: 1})
	r.places(one, nil, []registry.Seeker{{2, 102, false}}, map[uint64]int{102: 1}) // it is there after all
	r.expire(1)
	r.places(two, nil, last, map[uint64]int{103: 0})
	again := r.join("one", 1)
	r.places(two, []registry.Ended{{3, 103}}, []registry.Seeker{{4, 104, false}}, map[uint64]int{104: 0})
	r.places(again, nil, []registry.Seeker{{2, 105, false}}, map[uint64]int{105: 1})
	if err := two.Leave(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.places(again, nil, []registry.Seeker{{2, 105, false}}, map[uint64]int{105: 0})
	// what the database has lost is written again
	r.places(again, nil, []registry.Seeker{{6, 106, false}}, map[uint64]int{106: 1})
	r.exec("DELETE FROM cluster.places WHERE account = 6")
	r.places(again, nil, []registry.Seeker{{6, 106, false}}, map[uint64]int{106: 1})
}

// A gateway without a seat has its first wait, and those behind it at others are let in. Places of another realm are none.
func TestPlacesOfFullGateways(t *testing.T) {
	r := newRig(t)
	join := func(home, realm string, seats int) *registry.Member {
		m, err := r.Join(t.Context(), home, 0, realm, seats)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	one, two, other := join("one", "muster", 1), join("two", "muster", 5), join("other", "Second", 1)
	r.places(one, nil, []registry.Seeker{{1, 101, false}, {2, 102, false}}, map[uint64]int{101: 0, 102: 1})
	r.places(two, nil, []registry.Seeker{{3, 103, false}}, map[uint64]int{103: 0})
	r.places(other, nil, []registry.Seeker{{1, 104, false}, {5, 105, false}}, map[uint64]int{104: 0, 105: 1})
	r.places(one, nil, []registry.Seeker{{2, 102, false}}, map[uint64]int{102: 0})
}

// Whatever logs in, leaves, and asks again, at three gateways: as many are in as the realm lets in, while others wait; all that wait have the positions
// from 1 on, in the order in which they came; and none that was let in waits again.
func TestPlacesModel(t *testing.T) {
	r := newRig(t)
	seed := testseed.Of(t)
	dice := rand.New(rand.NewPCG(seed, 16))
	const limit = 5
	var members []*registry.Member
	for _, home := range []string{"one", "two", "three"} {
		members = append(members, r.join(home, 0))
	}
	r.exec(`UPDATE cluster.gateways SET heard = now() + interval '1 hour', until = now() + interval '1 hour'`) // however long this takes
	r.limit(limit)
	type client struct {
		registry.Seeker
		at int // a member
		in bool
	}
	var all []*client // in the order in which they came
	login := uint64(0)
	for range 300 {
		at := dice.IntN(len(members))
		var ended []registry.Ended
		if dice.IntN(2) == 0 {
			login++
			all = append(all, &client{registry.Seeker{Account: uint32(login), Login: login}, at, false})
		} else if len(all) > 0 {
			i := dice.IntN(len(all))
			c := all[i]
			at = c.at
			ended = append(ended, registry.Ended{Account: c.Account, Login: c.Login})
			all = slices.Delete(all, i, i+1)
		}
		in, nth, want := 0, 0, make(map[uint64]int)
		var ask []registry.Seeker
		for _, c := range all {
			if in++; in > limit {
				nth++
			}
			if c.in && nth > 0 {
				t.Fatalf("%+v was let in before those that came first", c)
			}
			if c.at == at && !c.in {
				ask, want[c.Login] = append(ask, c.Seeker), nth
				c.in = nth == 0
			}
		}
		r.places(members[at], ended, ask, want)
		if t.Failed() {
			t.FailNow()
		}
	}
}

package instances

import (
	"maps"
	"slices"
	"time"
)

// A Journal keeps what changes of the instances of a process. It is called by one goroutine at a time, and keeps what it can; without a change it tries again what it could not.
type Journal interface{ Note(...Change) }

// A Kind is one of Change.
type Kind string

// The kinds.
const (
	IsMade    Kind = "made"    // an instance of a map
	IsOver    Kind = "over"    // an instance
	IsBound   Kind = "bound"   // a character to an instance
	IsUnbound Kind = "unbound" // a character from an instance
	IsEntered Kind = "entered" // an instance, by a character of an account
	IsLast    Kind = "last"    // the number of the newest that was made
)

// A Change is one of what is kept.
type Change struct {
	Kind    Kind   `json:"kind"`
	Number  uint32 `json:"number"` // of the instance
	Map     uint32 `json:"map,omitempty"`
	GUID    uint64 `json:"guid,omitempty"`
	Account uint32 `json:"account,omitempty"`
	Unix    int64  `json:"unix,omitempty"` // when, in seconds: of IsEntered
}

// A Kept is what is kept of the instances of a process.
type Kept struct {
	Last      uint32 // the number of the newest that was made
	Instances map[uint32]KeptInstance
	visits    map[visit]int64 // when, in Unix seconds
}

// A KeptInstance is kept of an instance.
type KeptInstance struct {
	Map   uint32
	Bound map[uint64]struct{} // characters
}

// A visit is of an account in an instance, which may be over.
type visit struct{ account, number uint32 }

// Apply changes what is kept, and reports whether the change is one of this: of an instance that there is, and of a known kind.
func (k *Kept) Apply(c Change) (ok bool) {
	in, known := k.Instances[c.Number]
	switch c.Kind {
	case IsLast:
		k.Last = max(k.Last, c.Number)
		return true
	case IsMade:
		if k.Instances == nil {
			k.Instances = make(map[uint32]KeptInstance)
		}
		k.Last = max(k.Last, c.Number)
		k.Instances[c.Number] = KeptInstance{Map: c.Map, Bound: make(map[uint64]struct{})}
		return c.Number != 0 && !known
	case IsEntered:
		if k.visits == nil {
			k.visits = make(map[visit]int64)
		}
		k.visits[visit{c.Account, c.Number}] = c.Unix
		return true
	case IsOver:
		delete(k.Instances, c.Number)
	case IsBound:
		if known {
			in.Bound[c.GUID] = struct{}{}
		}
	case IsUnbound:
		delete(in.Bound, c.GUID)
	default:
		return false
	}
	return known
}

// Changes are those that make this, in an order that is always the same. Visits that are an hour old are left out.
func (k *Kept) Changes(now time.Time) (all []Change) {
	if k.Last > 0 {
		all = append(all, Change{Kind: IsLast, Number: k.Last})
	}
	for _, number := range slices.Sorted(maps.Keys(k.Instances)) {
		in := k.Instances[number]
		all = append(all, Change{Kind: IsMade, Number: number, Map: in.Map})
		for _, guid := range slices.Sorted(maps.Keys(in.Bound)) {
			all = append(all, Change{Kind: IsBound, Number: number, GUID: guid})
		}
	}
	visits := k.visitsAt(now)
	for _, account := range slices.Sorted(maps.Keys(visits)) {
		for _, number := range slices.Sorted(maps.Keys(visits[account])) {
			all = append(all, Change{Kind: IsEntered, Number: number, Account: account, Unix: visits[account][number].Unix()})
		}
	}
	return all
}

// visitsAt are the visits of the hour before a moment, by account and instance. One that is later than that, as the clock was set back, counts from then on.
func (k *Kept) visitsAt(now time.Time) map[uint32]map[uint32]time.Time {
	all := make(map[uint32]map[uint32]time.Time)
	for v, unix := range k.visits {
		at := time.Unix(min(unix, now.Unix()), 0)
		if now.Sub(at) >= time.Hour {
			continue
		}
		if all[v.account] == nil {
			all[v.account] = make(map[uint32]time.Time)
		}
		all[v.account][v.number] = at
	}
	return all
}

// keep tells the journal of changes.
func (s *Instances) keep(changes ...Change) {
	if s.config.Journal != nil {
		s.config.Journal.Note(changes...)
	}
}

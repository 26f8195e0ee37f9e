// Package checker judges what became of characters while processes of a realm were killed: what sessions have seen must be linearizable
// (History), and what a store has must not go back (Audit). Its tests are histories and stores in which something is wrong.
package checker

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/anishathalye/porcupine"
)

// A Kind is what a session does with a subject.
type Kind string

// The kinds of steps.
const (
	// Enters: the session has logged in, and finds the subject in that state. A session that is in the world ends with it.
	Enters Kind = "enters with"
	// Makes: the session has brought the subject into that state, and has been told so.
	Makes Kind = "makes it"
	// MayMake: the session has asked for that state, and has not been told what came of it.
	MayMake Kind = "may make it"
	// Leaves: the session has logged out, and has left the subject in that state.
	Leaves Kind = "leaves it with"
	// Stored: the store has the subject in that state. It is no session's.
	Stored Kind = "is stored with"
)

// A State is how a subject is. It is compared with ==.
type State interface {
	// Sound reports whether a subject can be in that state.
	Sound() bool
	// Follows reports whether it can come from another state by what sessions do.
	Follows(State) bool
}

// A Character is the State of a subject that is one character.
type Character struct {
	Map    uint32
	X      float32
	Copper uint32
}

// Sound implements State.
func (Character) Sound() bool { return true }

// Follows implements State. What sessions do costs nothing.
func (c Character) Follows(s State) bool {
	before, ok := s.(Character)
	return ok && c.Copper >= before.Copper
}

// A Pair is the State of a subject that is two characters, which hand money and one item to each other.
type Pair struct {
	Copper [2]uint32
	Has    [2]bool // which of them has the item
}

// Sound implements State: one of the two has the item.
func (p Pair) Sound() bool { return p.Has[0] != p.Has[1] }

// Follows implements State: both have the same money together.
func (p Pair) Follows(s State) bool {
	before, ok := s.(Pair)
	return ok && p.money() == before.money()
}

func (p Pair) money() uint64 { return uint64(p.Copper[0]) + uint64(p.Copper[1]) }

// A Step is a part of a History.
type Step struct {
	Subject string
	Session int // differs from those of other sessions of the subject; from 1, and 0 with Stored
	Kind    Kind
	State   State
}

func (s Step) String() string {
	return fmt.Sprintf("%s: session %d %s %+v", s.Subject, s.Session, s.Kind, s.State)
}

// A History is what sessions have done. It is safe for concurrent use.
type History struct {
	mu   sync.Mutex
	zero time.Time // of the first step: others are measured from there
	ops  []porcupine.Operation
}

// Add adds a step that was taken at some moment between two times.
func (h *History) Add(s Step, began, ended time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.ops) == 0 {
		h.zero = began
	}
	h.ops = append(h.ops, porcupine.Operation{ClientId: s.Session, Input: s, Call: int64(began.Sub(h.zero)), Return: int64(ended.Sub(h.zero))})
}

// Len is how many steps there are.
func (h *History) Len() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.ops)
}

// A Violation is a part of a history that is not linearizable, but for its last step.
type Violation []Taken

// A Taken is a step, and between which times it was taken.
type Taken struct {
	Step
	Began, Ended time.Time
}

func (t Taken) String() string {
	const clock = "15:04:05.000"
	return fmt.Sprintf("%s to %s %v", t.Began.UTC().Format(clock), t.Ended.UTC().Format(clock), t.Step)
}

// Check returns a violation of each subject that has one. With an error it could not find out within the time.
func (h *History) Check(within time.Duration) (all []Violation, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	model := (&porcupine.NondeterministicModel{Init: initial, Step: next}).ToModel()
	deadline := time.Now().Add(within)
	for _, ops := range bySubject(h.ops) {
		check := func(n int) (porcupine.CheckResult, error) {
			result := porcupine.CheckOperationsTimeout(model, ops[:n], max(time.Until(deadline), time.Nanosecond))
			if result == porcupine.Unknown {
				return result, fmt.Errorf("checker: %d steps of %s were not judged within %v", n, ops[0].Input.(Step).Subject, within)
			}
			return result, nil
		}
		result, err := check(len(ops))
		if err != nil {
			return all, err
		}
		if result == porcupine.Ok {
			continue
		}
		good, bad := 0, len(ops)
		for bad-good > 1 {
			middle := (good + bad) / 2
			if result, err = check(middle); err != nil {
				return all, err
			}
			if result == porcupine.Ok {
				good = middle
			} else {
				bad = middle
			}
		}
		var v Violation
		for _, op := range ops[:bad] {
			v = append(v, Taken{op.Input.(Step), h.zero.Add(time.Duration(op.Call)), h.zero.Add(time.Duration(op.Return))})
		}
		all = append(all, v)
	}
	return all, nil
}

// bySubject are the steps of each subject in the order of their ends, of the first subject first.
func bySubject(ops []porcupine.Operation) (parts [][]porcupine.Operation) {
	at := make(map[string]int)
	for _, op := range ops {
		subject := op.Input.(Step).Subject
		if _, ok := at[subject]; !ok {
			at[subject] = len(parts)
			parts = append(parts, nil)
		}
		parts[at[subject]] = append(parts[at[subject]], op)
	}
	for _, part := range parts {
		slices.SortStableFunc(part, func(a, b porcupine.Operation) int { return int(a.Return - b.Return) })
	}
	return parts
}

// A register is a subject in the model.
type register struct {
	State       // nil until a session has entered
	session int // that is in the world; 0 without one
}

func initial() []any { return []any{register{}} }

// next returns how a subject can be after a step, which is not at all if the step breaks a rule.
//
// A session that another one has replaced makes nothing more, and neither does one that has left. What was asked for without an answer is
// done before the next session enters, or never.
func next(state, input, _ any) []any {
	is, does := state.(register), input.(Step)
	if !does.State.Sound() {
		return nil
	}
	switch does.Kind {
	case Enters:
		if is.State == nil || is.State == does.State {
			return []any{register{does.State, does.Session}}
		}
	case Stored:
		if is.State == nil || is.State == does.State {
			return []any{is}
		}
	case Makes, Leaves:
		if is.session != does.Session || !does.State.Follows(is.State) {
			return nil
		}
		if does.Kind == Leaves {
			return []any{register{does.State, 0}}
		}
		return []any{register{does.State, does.Session}}
	case MayMake:
		if is.session != does.Session || !does.State.Follows(is.State) {
			return []any{is}
		}
		return []any{is, register{does.State, does.Session}}
	}
	return nil
}

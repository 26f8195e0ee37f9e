package checker

import (
	"slices"
	"testing"
	"time"
)

// lasts is how long a step of a test takes, and how long it is until the next one begins.
const lasts = time.Second

// one is a history of one step after the other.
func one(steps ...Step) *History {
	h := new(History)
	at := time.Unix(0, 0)
	for _, s := range steps {
		s.Subject = "a"
		h.Add(s, at, at.Add(lasts))
		at = at.Add(2 * lasts)
	}
	return h
}

// meanwhile is such a history, with a step that begins with the first of those and ends with the last.
func meanwhile(s Step, steps ...Step) *History {
	h := one(steps...)
	s.Subject = "a"
	h.Add(s, time.Unix(0, 0), time.Unix(0, 0).Add(2*time.Duration(len(steps))*lasts))
	return h
}

var (
	made   = Character{Map: 0, X: 1, Copper: 10}
	moved  = Character{Map: 0, X: 2, Copper: 10}
	hopped = Character{Map: 1, X: 2, Copper: 11}

	first  = Pair{Copper: [2]uint32{100, 50}, Has: [2]bool{true, false}}
	second = Pair{Copper: [2]uint32{95, 55}, Has: [2]bool{false, true}}
	twice  = Pair{Copper: [2]uint32{90, 60}, Has: [2]bool{false, true}}
	paid   = Pair{Copper: [2]uint32{95, 55}, Has: [2]bool{true, false}} // without the item
	both   = Pair{Copper: [2]uint32{100, 50}, Has: [2]bool{true, true}}
	none   = Pair{Copper: [2]uint32{100, 50}}
	richer = Pair{Copper: [2]uint32{100, 55}, Has: [2]bool{false, true}}
)

func enters(session int, s State) Step  { return Step{Session: session, Kind: Enters, State: s} }
func makes(session int, s State) Step   { return Step{Session: session, Kind: Makes, State: s} }
func mayMake(session int, s State) Step { return Step{Session: session, Kind: MayMake, State: s} }
func leaves(session int, s State) Step  { return Step{Session: session, Kind: Leaves, State: s} }
func stored(s State) Step               { return Step{Kind: Stored, State: s} }

func TestRightHistories(t *testing.T) {
	for what, h := range map[string]*History{
		"nothing":                       one(),
		"a store before any session":    one(stored(made), enters(1, moved)),
		"a login and a logout":          one(enters(1, made), leaves(1, moved), enters(2, moved), leaves(2, moved), stored(moved)),
		"an answered hand-over":         one(enters(1, made), makes(1, hopped), enters(2, hopped), stored(hopped)),
		"a cut off one that was done":   one(enters(1, made), mayMake(1, hopped), enters(2, hopped), stored(hopped)),
		"a cut off one that was not":    one(enters(1, made), mayMake(1, hopped), enters(2, made), stored(made)),
		"the first of two":              one(enters(1, made), mayMake(1, moved), mayMake(1, hopped), enters(2, moved)),
		"a cut off one at the end":      one(enters(1, made), mayMake(1, moved), stored(moved)),
		"a session that replaces one":   one(enters(1, made), enters(2, made), leaves(2, moved), stored(moved)),
		"a replaced one asks in vain":   one(enters(1, made), enters(2, made), mayMake(1, moved), stored(made)),
		"the old one just before":       meanwhile(makes(1, moved), enters(1, made), enters(2, moved), stored(moved)),
		"the old one leaves just then":  meanwhile(leaves(1, moved), enters(1, made), enters(2, moved), leaves(2, hopped)),
		"a login while the other saves": meanwhile(enters(2, moved), enters(1, made), leaves(1, moved), stored(moved)),
		"a trade":                       one(enters(1, first), makes(1, second), enters(2, second), makes(2, first), stored(first)),
		"a cut off trade, done":         one(enters(1, first), mayMake(1, second), enters(2, second)),
		"a cut off trade, not done":     one(enters(1, first), mayMake(1, second), enters(2, first)),
	} {
		if all, err := h.Check(time.Minute); err != nil || len(all) != 0 {
			t.Errorf("%s: %v, %v", what, all, err)
		}
	}
}

// Each history is wrong at its last step.
func TestWrongHistories(t *testing.T) {
	for what, steps := range map[string][]Step{
		"an item is doubled":                     {enters(1, first), leaves(1, first), enters(2, both)},
		"an item is doubled before anything":     {enters(1, both)},
		"an item is doubled in the store":        {stored(both)},
		"an item is lost":                        {enters(1, first), leaves(1, first), enters(2, none)},
		"an item is lost before anything":        {enters(1, none)},
		"an item is set back":                    {enters(1, first), makes(1, second), enters(2, first)},
		"an item is handed over without payment": {enters(1, first), mayMake(1, second), enters(2, paid)},
		"a cut off trade is done twice":          {enters(1, first), mayMake(1, second), enters(2, twice)},
		"a trade is done twice":                  {enters(1, first), makes(1, second), stored(twice)},
		"a trade makes money":                    {enters(1, first), makes(1, richer)},
		"a cut off trade makes money":            {enters(1, first), mayMake(1, richer), enters(2, richer)},
		"a trade is no character's":              {enters(1, made), makes(1, first)},
		"a character is no pair's":               {enters(1, first), makes(1, made)},
		"a pair without money is no character's": {enters(1, made), makes(1, Pair{Has: [2]bool{true, false}})},

		"a hand-over is taken twice":         {enters(1, made), mayMake(1, hopped), enters(2, Character{Map: 1, X: 2, Copper: 12})},
		"a hand-over is taken back":          {enters(1, made), makes(1, hopped), enters(2, made)},
		"on the other map without the money": {enters(1, made), mayMake(1, hopped), enters(2, Character{Map: 1, X: 2, Copper: 10})},
		"the second without the first":       {enters(1, made), mayMake(1, moved), mayMake(1, hopped), enters(2, Character{Map: 1, X: 1, Copper: 11})},
		"money is lost":                      {enters(1, hopped), makes(1, made)},
		"money may be lost":                  {enters(1, hopped), mayMake(1, made), enters(2, made)},

		"a save goes back":             {enters(1, made), leaves(1, moved), stored(made)},
		"a save goes back, for good":   {enters(1, made), leaves(1, moved), enters(2, made)},
		"a save comes late":            {enters(1, made), mayMake(1, moved), enters(2, made), stored(moved)},
		"a save is undone":             {enters(1, made), mayMake(1, moved), enters(2, moved), stored(made)},
		"a logout is undone by a save": {enters(1, made), mayMake(1, moved), leaves(1, hopped), stored(moved)},

		"two sessions, and the older one acts":        {enters(1, made), enters(2, made), makes(1, moved)},
		"two sessions, and the older one leaves":      {enters(1, made), enters(2, made), leaves(1, moved)},
		"two sessions, and the older one is obeyed":   {enters(1, made), enters(2, made), mayMake(1, moved), enters(3, moved)},
		"the newer one is gone, and the older one is": {enters(1, made), enters(2, made), leaves(2, made), makes(1, moved)},
		"a session acts after it has left":            {enters(1, made), leaves(1, made), makes(1, moved)},
		"a session is obeyed after it has left":       {enters(1, made), leaves(1, made), mayMake(1, moved), enters(2, moved)},
		"a session acts before it enters":             {makes(1, made)},
		"a session without a number acts":             {makes(0, made)},
		"a step of no kind":                           {{Session: 1, Kind: "resets", State: made}},
	} {
		all, err := one(steps...).Check(time.Minute)
		if err != nil || len(all) != 1 || len(all[0]) != len(steps) {
			t.Errorf("%s: %v, %v; it is wrong at the last of %d steps", what, all, err, len(steps))
		}
	}
}

// A subject is judged by its own steps, and one that is right is no part of what is reported.
func TestSubjectsAreApart(t *testing.T) {
	h := new(History)
	at := time.Unix(0, 0)
	var want Violation
	for _, s := range []Step{
		{"a", 1, Enters, made}, {"b", 1, Enters, made}, {"a", 1, Leaves, moved}, {"b", 1, Makes, hopped}, {"a", 2, Enters, moved}, {"b", 2, Enters, moved}, {"b", 2, Leaves, moved},
	} {
		at = at.Add(2 * lasts)
		h.Add(s, at, at.Add(lasts))
		if s.Subject == "b" {
			want = append(want, Taken{s, at, at.Add(lasts)})
		}
	}
	all, err := h.Check(time.Minute)
	if err != nil || len(all) != 1 || !slices.Equal(all[0], want[:3]) {
		t.Errorf("%v, %v, want %v", all, err, want[:3])
	}
	if h.Len() != 7 {
		t.Errorf("%d steps", h.Len())
	}
	if text := want[0].String(); text != "00:00:04.000 to 00:00:05.000 b: session 1 enters with {Map:0 X:1 Copper:10}" {
		t.Error(text)
	}
}

// A violation has its steps in the order of their ends, in whichever order they were added.
func TestStepsHaveTimes(t *testing.T) {
	h := new(History)
	want := Violation{{Step: Step{"a", 1, Enters, made}}, {Step: Step{"a", 1, Leaves, moved}}, {Step: Step{"a", 2, Enters, made}}}
	for i, s := range slices.Backward(want) {
		at := time.Unix(2*int64(i), 0)
		want[i].Began, want[i].Ended = at, at.Add(lasts)
		h.Add(s.Step, at, at.Add(lasts))
	}
	if all, err := h.Check(time.Minute); err != nil || len(all) != 1 || !slices.Equal(all[0], want) {
		t.Errorf("%v, %v, want %v", all, err, want)
	}
}

// What is not found out in time is an error, and no history that is right.
func TestTimeIsOver(t *testing.T) {
	h := new(History)
	for session := range 40 { // all at once, so that there are many orders
		h.Add(Step{"a", session + 1, MayMake, made}, time.Unix(0, 0), time.Unix(100, 0))
		h.Add(Step{"a", session + 1, Enters, Character{Copper: uint32(session)}}, time.Unix(0, 0), time.Unix(100, 0))
	}
	if all, err := h.Check(0); err == nil {
		t.Errorf("%v", all)
	}
}

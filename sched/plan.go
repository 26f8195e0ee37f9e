package sched

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"sync/atomic"
	"time"

	"muster/ecs"
	"muster/internal/metric"
)

// A Stage is a part of the tick. Entities despawned in one are removed at its end.
type Stage uint8

// The stages, in the order of a tick.
const (
	Take   Stage = iota // what arrived
	Move                // positions
	See                 // homes, views and awake cells
	Act                 // acts of players and creatures
	Settle              // consequences of acts
	Think               // decisions of creatures
	Keep                // state to be stored
	Send                // the frame for the gateway
	stages
)

var stageNames = [stages]string{"Take", "Move", "See", "Act", "Settle", "Think", "Keep", "Send"}

func (s Stage) String() string { return stageNames[s] }

// A System is a function over some components, run once a tick. It is a value: nothing is registered, and its place
// in the list is its place in the tick.
type System struct {
	Name   string
	Stage  Stage
	Every  time.Duration // runs once in this time; 0 = each tick
	Access []ecs.Access  // components, events and resources
	Timers []Timers      // all of its timers
	Self   any           // points to all of the system's own state, wheels included
	Run    func(Tick)
	If     func() bool // whether it has to run in a tick; nil: in each

	React   func(Tick)  // of a Reactor, else nil
	Waiting func() bool // whether there is something to react to
}

// MaxRounds is the most rounds of reactions after one stage, our own choice: a spell that hits, the damage shield that
// answers, the death that follows and what it ends take four, and each spell that another one triggers one more.
const MaxRounds = 8

// A Plan is the tick as an ordered list.
type Plan struct {
	systems []System
	react   []int    // places of those that react
	due     []uint64 // tick at which a system runs next
	spent   []time.Duration
	late    *metric.Counter // stages that ended with something to react to
	emitted func() uint64   // how many events there have been; nil if that is not known
	settled uint64          // how many of them nothing reacts to any more
	endOf   func()          // ends a stage
	watch   []Watcher
	running atomic.Int32  // place of the system that runs, from 1; 0 none
	epoch   time.Time     // when the plan was made
	mark    time.Duration // since then, when the last system ended: the clock is read once for each
}

// A Watcher follows the systems of a plan, on the goroutine that runs them: it counts, measures or labels them, and
// changes nothing.
type Watcher interface {
	// Begin is called before the i-th system runs or reacts: any number of times in a tick.
	Begin(i int)
	// End is called after that, with the time that it took, but not after a panic.
	End(i int, took time.Duration)
}

// NewPlan returns the plan of a list of systems, and calls endStage after the last system and reaction of each
// stage. It panics if a system stands after one of a later stage, or has no name or nothing to run.
func NewPlan(endStage func(), systems ...System) *Plan {
	var react []int
	for i, s := range systems {
		if s.Name == "" || s.Run == nil {
			panic(fmt.Sprintf("sched: system %d has no name or nothing to run", i))
		}
		if s.React != nil {
			react = append(react, i)
		}
		if i > 0 && s.Stage < systems[i-1].Stage {
			panic(fmt.Sprintf("sched: %s (%v) stands after %s (%v)", s.Name, s.Stage, systems[i-1].Name, systems[i-1].Stage))
		}
	}
	return &Plan{
		systems: systems, react: react, due: make([]uint64, len(systems)), spent: make([]time.Duration, len(systems)), endOf: endStage,
		late: new(metric.Counter), epoch: time.Now(),
	}
}

// CountLate counts the stages after which MaxRounds rounds were not enough: what is left
// waits for the end of the next stage.
func (p *Plan) CountLate(c *metric.Counter) { p.late = c }

// FollowEvents has a plan look for reactions only after there were events: emitted returns how many there have been.
func (p *Plan) FollowEvents(emitted func() uint64) { p.emitted, p.settled = emitted, emitted()-1 }

// Watch adds a watcher from the next tick on, after those added before.
func (p *Plan) Watch(w Watcher) { p.watch = append(p.watch, w) }

// Around has a system run in each tick, within a function, which may act before and after it: tests slow a system down so.
func (p *Plan) Around(name string, around func(t Tick, run func(Tick))) {
	for i := range p.systems {
		if run := p.systems[i].Run; p.systems[i].Name == name {
			p.systems[i].Run, p.systems[i].If = func(t Tick) { around(t, run) }, nil
		}
	}
}

// Names lists the systems in their order.
func (p *Plan) Names() []string {
	names := make([]string, len(p.systems))
	for i := range p.systems {
		names[i] = p.systems[i].Name
	}
	return names
}

// Timers visits the timers of the systems, in order.
func (p *Plan) Timers(visit func(system string, t Timers)) {
	for i := range p.systems {
		for _, t := range p.systems[i].Timers {
			visit(p.systems[i].Name, t)
		}
	}
}

// Kept visits pointers to all state besides shared values on which the next ticks depend: the systems' own, and when
// each runs next.
func (p *Plan) Kept(visit func(name string, at any)) {
	for i := range p.systems {
		visit(p.systems[i].Name, p.systems[i].Self)
	}
	visit("plan", &p.due)
}

// Running returns the system that runs, or has panicked; "" between systems and between ticks. Any goroutine may call
// it.
func (p *Plan) Running() string {
	if i := p.running.Load(); i > 0 {
		return p.systems[i-1].Name
	}
	return ""
}

// Run runs one tick: the systems in their order and, after the last one of each stage, rounds of reactions.
func (p *Plan) Run(t Tick) {
	clear(p.spent)
	p.mark = time.Since(p.epoch)
	for i := range p.systems {
		s := &p.systems[i]
		if t.N >= p.due[i] && (s.If == nil || s.If()) {
			p.run(i, t, s.Run)
			if s.Every > 0 {
				p.due[i] = t.After(s.Every)
			}
		}
		if i+1 == len(p.systems) || p.systems[i+1].Stage != s.Stage {
			p.runReactions(t)
			p.endOf()
		}
	}
}

// runReactions runs the reactions of systems, in their order, until none has anything to react to, at most MaxRounds times.
func (p *Plan) runReactions(t Tick) {
	if p.emitted != nil && p.emitted() == p.settled {
		return
	}
	for range MaxRounds {
		settled := true
		for _, i := range p.react {
			if s := &p.systems[i]; s.Waiting() {
				settled = false
				p.run(i, t, s.React)
			}
		}
		if settled {
			if p.emitted != nil {
				p.settled = p.emitted()
			}
			return
		}
	}
	for _, i := range p.react {
		if p.systems[i].Waiting() {
			p.late.Count()
			return
		}
	}
}

// run runs a system, or its reaction, and adds the time that it took.
func (p *Plan) run(i int, t Tick, run func(Tick)) {
	p.running.Store(int32(i) + 1)
	for _, w := range p.watch {
		w.Begin(i)
	}
	run(t)
	now := time.Since(p.epoch)
	took := now - p.mark
	p.mark = now
	if len(p.watch) > 0 {
		for _, w := range p.watch {
			w.End(i, took)
		}
		p.mark = time.Since(p.epoch)
	}
	p.running.Store(0)
	p.spent[i] += took
}

// Spent visits the systems with the time that each took in the last tick. It is for reports: nothing in a world
// depends on it.
func (p *Plan) Spent(visit func(name string, d time.Duration)) {
	for i := range p.systems {
		visit(p.systems[i].Name, p.spent[i])
	}
}

// String lists the systems by stage, with what each reads and writes.
func (p *Plan) String() string {
	var b strings.Builder
	for i, s := range p.systems {
		if i == 0 || p.systems[i-1].Stage != s.Stage {
			fmt.Fprintf(&b, "%v\n", s.Stage)
		}
		every := "each tick"
		switch {
		case s.Every > 0:
			every = "every " + s.Every.String()
		case s.If != nil:
			every = "in ticks with events"
		}
		if s.React != nil {
			every += ", and reacts after each stage"
		}
		fmt.Fprintf(&b, "  %-12s %s\n", s.Name, every)
		for mode := ecs.ModeRead; mode <= ecs.ModeWrite; mode++ {
			list(&b, s.Access, mode)
		}
	}
	b.WriteString("Bundles\n")
	for _, t := range p.types() {
		if t.Implements(bundleType) {
			fmt.Fprintf(&b, "  %s: %s\n", nameOf(t), names(reflect.Zero(t).Interface().(ecs.Bundle).Components()))
		}
	}
	return b.String()
}

// folders are what precedes the package in the names of type arguments.
var folders = regexp.MustCompile(`(\w+/)+`)

func nameOf(t reflect.Type) string { return folders.ReplaceAllString(t.String(), "") }

var bundleType = reflect.TypeFor[ecs.Bundle]()

// list lists the types that a system has in a mode. Of what it spawns it lists the bundles.
func list(b *strings.Builder, access []ecs.Access, mode ecs.Mode) {
	var types []reflect.Type
	for _, a := range access {
		if a.Mode == mode && (mode != ecs.ModeSpawn || a.Type.Implements(bundleType)) {
			types = append(types, a.Type)
		}
	}
	if len(types) > 0 {
		fmt.Fprintf(b, "    %-7s %s\n", mode, names(types))
	}
}

func names(types []reflect.Type) string {
	var all []string
	for _, t := range types {
		all = append(all, nameOf(t))
	}
	return strings.Join(all, ", ")
}

// Package upgrade has the worlds and gateways of a realm replaced by those of another release, or with other settings, while players are in them: the
// messages, the plan, and the gateway's part. Package replica has that of workers.
package upgrade

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"muster/cmd/internal/process"
	"muster/cmd/internal/release"
	"muster/cmd/internal/storage"
	"muster/loaders/registry"
	"muster/net/ops/console"
	"muster/net/replication/remote"
)

// Times of an upgrade, our own choices.
const (
	listenTime  = 700 * time.Millisecond // for all processes to say what they are
	repeatEvery = 200 * time.Millisecond // between two times that something is asked
	giveTime    = GiftTime + 2*GiftFence // for a world to be handed over, or not
	selfTime    = time.Second            // after which the gateway that answers the verb ends, so that it can
	// onceTime is for how long a gateway that was drained because it was named is not drained again for it: the next process has its number.
	onceTime = 10 * time.Minute
	// maxAnswers is how many are kept of a question: worlds and gateways of a realm.
	maxAnswers = 4096
)

// An Upgrader has the worlds of a realm handed to processes of another release, or with other settings, and its gateways drained. It keeps
// nothing: what is left to do is seen by what the processes say that they are, so that another one can go on where it has ended.
type Upgrader struct {
	bus      remote.Bus
	realm    string             // as in subjects
	registry *registry.Registry // nil if there is none
	name     string             // of the realm, as in the registry
	gateway  uint32
	process  string
	made     uint64
	players  func() int
	drain    func() // ends this gateway without taking its players out of their worlds

	mu    sync.Mutex           // one verb at a time
	named map[uint32]time.Time // when gateways were drained because they were named
	state sync.Mutex           // of draining
	leave bool                 // it is drained
}

// An Config says which gateway is upgraded, and how.
type Config struct {
	Bus      remote.Bus
	Realm    string             // as in subjects
	Registry *registry.Registry // which may give the worlds to workers; nil if there is none
	Name     string             // of the realm, as in the registry
	Gateway  uint32             // its number
	Made     uint64             // what its worlds are made of
	Players  func() int         // how many connections it has
	Drain    func()             // ends it without taking its players out of their worlds
}

// New makes what has a gateway's realm upgraded, and the gateway drained.
func New(c Config) *Upgrader {
	return &Upgrader{bus: c.Bus, realm: c.Realm, registry: c.Registry, name: c.Name, gateway: c.Gateway, process: process.OwnName(), made: c.Made, players: c.Players, drain: c.Drain}
}

// Run answers what other gateways ask, until ctx is done.
func (u *Upgrader) Run(ctx context.Context) error {
	stop, err := u.bus.Subscribe(remote.Upgrade(u.realm), u.asked)
	if err != nil {
		return err
	}
	defer stop()
	<-ctx.Done()
	return nil
}

// asked answers what a gateway asks.
func (u *Upgrader) asked(b []byte) {
	m, ok := Read[Ask](b)
	if !ok || m.Do != AskPlan && (m.Do != askDrain || m.From != u.process) {
		return
	}
	if m.Do == askDrain {
		u.end(0)
	}
	u.state.Lock()
	defer u.state.Unlock()
	if u.leave && m.Do == AskPlan {
		return // it is there no more
	}
	a, _ := json.Marshal(&Answer{
		ID: m.ID, Do: m.Do, Role: roleGateway, Process: u.process, Release: release.Name(), Gateway: u.gateway, Made: u.made, Bus: remote.Version, Players: u.players(),
	})
	u.bus.Publish(remote.Upgraded(u.realm), a) // what is lost is asked again
}

// end drains this gateway after a time.
func (u *Upgrader) end(after time.Duration) {
	u.state.Lock()
	defer u.state.Unlock()
	if !u.leave {
		u.leave = true
		time.AfterFunc(after, u.drain)
	}
}

// ask asks something again and again until enough has been answered, or ctx is done.
func (u *Upgrader) ask(ctx context.Context, m Ask, enough func(all []Answer) bool) (all []Answer, err error) {
	m.ID = max(rand.Uint64(), 1)
	answers := make(chan Answer, maxAnswers)
	stop, err := u.bus.Subscribe(remote.Upgraded(u.realm), func(b []byte) {
		if a, ok := Read[Answer](b); ok && a.ID == m.ID {
			select {
			case answers <- a:
			default: // there are too many
			}
		}
	})
	if err != nil {
		return nil, err
	}
	defer stop()
	text, _ := json.Marshal(&m)
	again := time.NewTicker(repeatEvery)
	defer again.Stop()
	for {
		u.bus.Publish(remote.Upgrade(u.realm), text) // what is lost is asked again
		for waits := true; waits; {
			select {
			case a := <-answers:
				same := func(b Answer) bool { return a.Role == b.Role && a.Process == b.Process && a.Map == b.Map }
				if len(all) < maxAnswers && !slices.ContainsFunc(all, same) {
					all = append(all, a)
				}
				if enough(all) {
					return all, nil
				}
			case <-again.C:
				if waits = false; enough(all) {
					return all, nil
				}
			case <-ctx.Done():
				return all, nil
			}
		}
	}
}

// look asks all processes what they are.
func (u *Upgrader) look(ctx context.Context) (plan, error) {
	listening, cancel := context.WithTimeout(ctx, listenTime)
	defer cancel()
	all, err := u.ask(listening, Ask{Do: AskPlan}, func([]Answer) bool { return false })
	if err != nil {
		return plan{}, err
	}
	return makePlan(all), cmp.Or(ctx.Err(), nil)
}

// Upgrade implements console.Upgrader.
func (u *Upgrader) Upgrade(ctx context.Context, dry bool, named []uint32) (lines []string, more bool, err error) {
	if !u.mu.TryLock() {
		return nil, false, console.Refusal("Another upgrade is under way through this gateway.")
	}
	defer u.mu.Unlock()
	until, _ := ctx.Deadline()
	plan, err := u.look(ctx)
	if err != nil {
		return nil, false, storage.OneLine(err)
	}
	named = slices.DeleteFunc(named, func(number uint32) bool { return time.Since(u.named[number]) < onceTime })
	if given, err := u.fleet(ctx); err != nil {
		return nil, false, storage.OneLine(err)
	} else if len(given.shards) > 0 {
		return u.upgradeFleet(ctx, &given, &plan, dry, named)
	}
	if dry {
		return append(plan.lines(named), plan.problems(named)...), false, nil
	}
	if problems := plan.problems(named); len(problems) > 0 {
		return append(plan.lines(named), "Nothing was done."), false, console.Refusal(strings.Join(problems, " "))
	}
	for _, w := range plan.worlds {
		if w.to == nil {
			continue
		}
		if time.Until(until) < giveTime {
			return lines, true, nil
		}
		line, err := u.give(ctx, w)
		if err != nil {
			return lines, false, err
		}
		lines = append(lines, line)
	}
	if plan.moves() {
		return lines, true, nil // gateways when the worlds have said where they are
	}
	drained, more, err := u.drainOne(ctx, &plan, named)
	return append(lines, drained...), more, err
}

// give has a world handed over.
func (u *Upgrader) give(ctx context.Context, w planned) (line string, err error) {
	giving, cancel := context.WithTimeout(ctx, giveTime)
	defer cancel()
	var first time.Time
	all, err := u.ask(giving, Ask{Do: AskGive, Map: w.id, From: w.from.Process, To: w.to.Process}, func(all []Answer) bool {
		at := slices.IndexFunc(all, func(a Answer) bool { return a.Process == w.from.Process })
		if at >= 0 { // it knows for how long the world stood still
			all[0], all[at] = all[at], all[0]
			return true
		}
		if len(all) > 0 && first.IsZero() {
			first = time.Now()
		}
		return !first.IsZero() && time.Since(first) > listenTime // it has ended, perhaps
	})
	switch {
	case err != nil:
		return "", storage.OneLine(err)
	case len(all) == 0:
		return "", console.Refusal(fmt.Sprintf("Map %d: %s has not answered. Say it again: what has the world then is seen by what its log says.", w.id, w.from.Process))
	case all[0].Why != "":
		return "", console.Refusal(fmt.Sprintf("Map %d is not handed over, and %s goes on with it: %s.", w.id, w.from.Process, all[0].Why))
	}
	return fmt.Sprintf("Map %d: %s has it after tick %d, and %s no more%s.", w.id, w.to.Process, all[0].Tick, w.from.Process, stoodStill(all[0].PauseMs)), nil
}

// stoodStill says for how long a world stood still, if that is known.
func stoodStill(ms int64) string {
	if ms == 0 {
		return ""
	}
	return fmt.Sprintf("; it stood still for %d ms", ms)
}

// drainOne drains a gateway if there is another one that stays. There may be more to do.
func (u *Upgrader) drainOne(ctx context.Context, plan *plan, named []uint32) (lines []string, more bool, err error) {
	old, stay := plan.split(named)
	if len(old) == 0 {
		return []string{"All worlds and gateways of the realm are of " + plan.target + "."}, false, nil
	}
	if len(stay) == 0 {
		return []string{fmt.Sprintf("Waiting for a gateway of %s: gateway %d is drained once there is one.", plan.target, old[0].Gateway)}, true, nil
	}
	slices.SortFunc(old, func(a, b Answer) int { // this one is the last
		if (a.Process == u.process) != (b.Process == u.process) {
			return cmp.Compare(btoi(a.Process == u.process), btoi(b.Process == u.process))
		}
		return cmp.Compare(a.Gateway, b.Gateway)
	})
	g := old[0]
	if slices.Contains(named, g.Gateway) {
		if u.named == nil {
			u.named = make(map[uint32]time.Time)
		}
		u.named[g.Gateway] = time.Now()
	}
	said := fmt.Sprintf("Gateway %d is drained: its %d players log in again through others.", g.Gateway, g.Players)
	if g.Process == u.process {
		u.end(selfTime)
		return []string{said, "This was the last one, and the one that has answered."}, false, nil
	}
	draining, cancel := context.WithTimeout(ctx, listenTime)
	defer cancel()
	all, err := u.ask(draining, Ask{Do: askDrain, From: g.Process}, func(all []Answer) bool { return len(all) > 0 })
	if err == nil && len(all) == 0 {
		said = fmt.Sprintf("Gateway %d has not answered.", g.Gateway)
	}
	return []string{said}, true, storage.OneLine(err)
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

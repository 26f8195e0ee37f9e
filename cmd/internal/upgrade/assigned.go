package upgrade

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"muster/cmd/internal/release"
	"muster/cmd/internal/storage"
	"muster/loaders/registry"
	"muster/net/ops/console"
)

// A fleet is the processes of a realm whose worlds the registry gives to workers, and what becomes of them: workers of another release than that of
// the gateway that is asked, or with other settings than the worker of that release that was enlisted last, hand their worlds to the others, one after the other, and end. So do orchestrators
// and processes for logins of another release, if there are such of this one.
type fleet struct {
	release, settings string
	old, fresh        []registry.Process // workers that are to end, and that are to have their worlds
	newest            *registry.Process  // the worker that was enlisted last, of those that do not drain; nil if there is none
	others            []registry.Process // orchestrators and processes for logins that are to end
	shards            []registry.Shard
}

// makeFleet makes a plan for what the registry lists.
func makeFleet(release string, processes []registry.Process, shards []registry.Shard) fleet {
	f := fleet{release: release, shards: shards}
	roles := make(map[string]bool)
	for _, p := range processes { // by role and ID
		if p.Release == release {
			roles[p.Role] = true
		}
		if p.Role == registry.RoleWorker && !p.Draining {
			f.newest = &p
			if p.Release == release && p.Durable {
				f.settings = p.Settings
			}
		}
	}
	for _, p := range processes {
		switch {
		case p.Role == registry.RoleWorker && p.Release == release && p.Settings == f.settings && p.Durable:
			if !p.Draining {
				f.fresh = append(f.fresh, p)
			}
		case p.Role == registry.RoleWorker:
			f.old = append(f.old, p)
		case p.Role != registry.RoleGateway && p.Release != release && roles[p.Role]:
			f.others = append(f.others, p)
		}
	}
	return f
}

// templateOf is registry.Process.Template of a worker, and of a gateway that can play in its worlds.
func templateOf(made uint64, bus int) string {
	return fmt.Sprintf("%016x, version %d of the bus", made, bus)
}

// Kind has a worker that is enlisted say what it is to an upgrade: by the settings of its worlds, what they are made of, and the version of the bus.
func Kind(p registry.Process, settings string, made uint64, bus int) registry.Process {
	p.Release, p.Settings, p.Template = release.Name(), settings, templateOf(made, bus)
	return p
}

// waiting are the worlds that no worker has which is to have them.
func (f *fleet) waiting() (worlds []registry.Shard) {
	for _, s := range f.shards {
		if s.State != registry.Runs || !slices.ContainsFunc(f.fresh, func(p registry.Process) bool { return p.ID == s.Worker }) {
			worlds = append(worlds, s)
		}
	}
	return worlds
}

// next is the worker that is to end first: one that drains already, else one that has worlds, else any of the old ones. It is nil if there is none any more.
func (f *fleet) next() (next *registry.Process) {
	rank := func(p *registry.Process) int {
		switch {
		case p.Draining:
			return 0
		case f.worldsOf(p) > 0:
			return 1
		}
		return 2
	}
	for i := range f.old {
		if p := &f.old[i]; next == nil || rank(p) < rank(next) {
			next = p
		}
	}
	return next
}

// worldsOf is how many worlds a worker has.
func (f *fleet) worldsOf(p *registry.Process) (n int) {
	for _, s := range f.shards {
		if s.Worker == p.ID {
			n++
		}
	}
	return n
}

// problems are why nothing can be done.
func (f *fleet) problems(gateways []Answer) (lines []string) {
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	if len(f.fresh) == 0 {
		add("There is no worker of %s with --durable world, which is the release of this gateway: start some, or say it to a gateway of the release that is wanted.", f.release)
		return lines
	}
	if f.newest.Release != f.release { // which of them is meant?
		add("Worker %d, which was started last, is of %s, and this gateway of %s. Say it to a gateway of %s, or stop the worker.", f.newest.ID, f.newest.Release, f.release, f.newest.Release)
	}
	room := 0
	for _, p := range f.fresh {
		room += p.Capacity
	}
	if room < len(f.shards) {
		add("The workers of %s have room for %d worlds, and there are %d.", f.release, room, len(f.shards))
	}
	for _, s := range f.waiting() {
		if !slices.ContainsFunc(f.fresh, func(p registry.Process) bool { return p.Maps == nil || slices.Contains(p.Maps, s.Map) }) {
			add("Map %d is in the world of no worker of %s.", s.Map, f.release)
		}
	}
	for _, p := range f.old {
		if !p.Durable && slices.ContainsFunc(f.shards, func(s registry.Shard) bool { return s.Worker == p.ID }) {
			add("Worker %d has no --durable world, and its worlds cannot be handed over.", p.ID)
		}
		if p.Template != "" && p.Template != f.fresh[0].Template { // a gateway of its release could not play on
			add("Worker %d has worlds of other templates, or another version of the bus, than worker %d.", p.ID, f.fresh[0].ID)
		}
	}
	for _, p := range f.fresh[1:] {
		if p.Template != f.fresh[0].Template {
			add("Workers %d and %d have worlds of different templates.", f.fresh[0].ID, p.ID)
		}
	}
	for _, g := range gateways {
		if templateOf(g.Made, g.Bus) != f.fresh[0].Template {
			add("Gateway %d has worlds of other templates, or another version of the bus, than worker %d, and could not play in its worlds.", g.Gateway, f.fresh[0].ID)
		}
	}
	return lines
}

// kind names the release and the settings that worlds are to be of.
func (f *fleet) kind() string { return strings.TrimSpace(f.release + " " + f.settings) }

// lines are the plan as text.
func (f *fleet) lines() (lines []string) {
	if n := len(f.waiting()); n > 0 || len(f.old) > 0 {
		lines = append(lines, fmt.Sprintf("%d of %d worlds go to workers %s, %s; workers %s end", n, len(f.shards), ids(f.fresh), f.kind(), ids(f.old)))
	} else {
		lines = append(lines, fmt.Sprintf("%d worlds stay with workers %s, %s", len(f.shards), ids(f.fresh), f.kind()))
	}
	for _, p := range f.others {
		lines = append(lines, fmt.Sprintf("%s %d, %s, ends", p.Role, p.ID, p.Release))
	}
	return lines
}

// ids are those of processes as text.
func ids(list []registry.Process) string {
	var all []string
	for _, p := range list {
		all = append(all, fmt.Sprint(p.ID))
	}
	return strings.Join(all, ", ")
}

// fleet reads what the registry lists. Its worlds are none if it gives none.
func (u *Upgrader) fleet(ctx context.Context) (f fleet, err error) {
	if u.registry == nil {
		return f, nil
	}
	shards, err := u.registry.Shards(ctx, u.name)
	if err != nil || len(shards) == 0 {
		return f, err
	}
	processes, err := u.registry.Processes(ctx, u.name)
	return makeFleet(release.Name(), processes, shards), err
}

// upgradeFleet does a part of an upgrade of worlds that the registry gives: first their workers, then orchestrators and processes for logins, then gateways.
func (u *Upgrader) upgradeFleet(ctx context.Context, f *fleet, plan *plan, dry bool, named []uint32) (lines []string, more bool, err error) {
	plan.target = f.release
	problems := f.problems(plan.gateways)
	if whole := slices.Concat(f.lines(), plan.gatewayLines(named)); dry {
		return append(whole, problems...), false, nil
	} else if len(problems) > 0 {
		return append(whole, "Nothing was done."), false, console.Refusal(strings.Join(problems, " "))
	}
	superseded, err := u.registry.Supersede(ctx, u.name, f.release, f.settings)
	if err != nil {
		return nil, false, storage.OneLine(err)
	}
	if len(superseded) > 0 {
		lines = append(lines, fmt.Sprintf("Workers %s hand their worlds to workers %s of %s, one after the other, and end.", ids(f.old), ids(f.fresh), f.kind()))
	}
	if next := f.next(); next != nil {
		if _, err := u.registry.End(ctx, u.name, next.ID); err != nil && !errors.Is(err, registry.ErrReplaced) { // it has ended meanwhile
			return lines, false, storage.OneLine(err)
		}
		return append(lines, fmt.Sprintf("%d of %d worlds are with workers of %s. Worker %d ends, and has %d.", len(f.shards)-len(f.waiting()), len(f.shards), f.kind(), next.ID, f.worldsOf(next))), true, nil
	}
	if worlds := f.waiting(); len(worlds) > 0 {
		first := worlds[0]
		return append(lines, fmt.Sprintf("%d of %d worlds are with workers of %s. Waiting for map %d, instance %d.", len(f.shards)-len(worlds), len(f.shards), f.kind(), first.Map, first.Instance)), true, nil
	}
	for _, p := range f.others {
		if _, err := u.registry.End(ctx, u.name, p.ID); err != nil {
			return lines, false, storage.OneLine(err)
		}
		lines = append(lines, fmt.Sprintf("%s %d of %s ends.", strings.ToUpper(p.Role[:1])+p.Role[1:], p.ID, p.Release))
	}
	if len(f.others) > 0 {
		return lines, true, nil // gateways when there are no others
	}
	drained, more, err := u.drainOne(ctx, plan, named)
	return append(lines, drained...), more, err
}

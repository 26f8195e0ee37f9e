package flight

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"muster/sched/tickstats"
)

// world is the one that the bundle is about: of the cause, nil if that has ended since; or the one with the slowest tick if it was
// requested, nil if there are none.
func (b *Bundle) world() *Observed {
	var of *Observed
	for i := range b.Worlds {
		switch o := &b.Worlds[i]; {
		case b.Cause.Kind == Asked:
			if of == nil || o.slowest().Took > of.slowest().Took {
				of = o
			}
		case o.Map == b.Cause.Map && o.Instance == b.Cause.Instance:
			return o
		}
	}
	return of
}

func (o *Observed) slowest() (t tickstats.Tick) {
	for _, each := range o.Ticks {
		if each.Took > t.Took {
			t = each
		}
	}
	return t
}

// tick is the one that the bundle is about; the last that ended if it has not.
func (b *Bundle) tick(o *Observed) (t tickstats.Tick, ok bool) {
	if b.Cause.Kind == Asked {
		t = o.slowest()
		return t, t.N != 0
	}
	if i := slices.IndexFunc(o.Ticks, func(t tickstats.Tick) bool { return t.N == b.Cause.Tick }); i >= 0 {
		return o.Ticks[i], true
	}
	if len(o.Ticks) > 0 {
		return o.Ticks[len(o.Ticks)-1], false
	}
	return t, false
}

// A Share is what a system took of a tick.
type Share struct {
	System              string
	Took, Median, Worst time.Duration // in the tick; in all ticks of the bundle
}

// shares are those of a tick, the largest excess over the median first.
func (o *Observed) shares(of tickstats.Tick) (all []Share) {
	for i, name := range o.Systems {
		s := Share{System: name}
		if i < len(of.Spent) {
			s.Took = of.Spent[i]
		}
		var spent []time.Duration
		for _, t := range o.Ticks {
			if i < len(t.Spent) {
				spent = append(spent, t.Spent[i])
			}
		}
		if slices.Sort(spent); len(spent) > 0 {
			s.Median, s.Worst = spent[len(spent)/2], spent[len(spent)-1]
		}
		all = append(all, s)
	}
	slices.SortStableFunc(all, func(a, b Share) int { return int((b.Took - b.Median) - (a.Took - a.Median)) })
	return all
}

// summarise names the cause in a paragraph.
func (b *Bundle) summarise() string {
	o := b.world()
	switch {
	case o == nil && b.Cause.Kind == Asked:
		return "There are no worlds."
	case o == nil:
		took, in := "took", ""
		if b.Cause.Kind == Stuck {
			took = "had been running for"
			if b.Cause.System != "" {
				in = fmt.Sprintf(" It was in %s.", b.Cause.System)
			}
		}
		return fmt.Sprintf("Tick %d of %s %s %v, where %v are allowed.%s That world has ended since: no more is known of it.",
			b.Cause.Tick, whereOf(b.Cause.Map, b.Cause.Instance), took, short(b.Cause.Took), b.Budget, in)
	}
	t, ended := b.tick(o)
	var said strings.Builder
	where, it := fmt.Sprintf("%s (%s)", whereOf(o.Map, o.Instance), o.Name), "It"
	switch {
	case b.Cause.Kind == Stuck:
		fmt.Fprintf(&said, "Tick %d of %s has been running for %v, where %v are allowed, and has not ended. ", b.Cause.Tick, where,
			short(b.Cause.Took), b.Budget)
		if b.Cause.System != "" {
			fmt.Fprintf(&said, "It is in %s. ", b.Cause.System)
		} else {
			said.WriteString("It is in none of its systems. ")
		}
		it = fmt.Sprintf("Tick %d, the last that has ended,", t.N)
	case t.N == 0:
		return fmt.Sprintf("No tick of %s has ended yet.", where)
	case !ended: // it fell out of the tick statistics meanwhile
		fmt.Fprintf(&said, "Tick %d of %s took %v, where %v are allowed. So many have ended since that it is not known any more where its time went. ",
			b.Cause.Tick, where, short(b.Cause.Took), b.Budget)
		it = fmt.Sprintf("Tick %d, the last of them,", t.N)
	default:
		what := "Tick"
		if b.Cause.Kind == Asked {
			what = fmt.Sprintf("Of the last %d ticks the slowest,", len(o.Ticks))
		}
		fmt.Fprintf(&said, "%s %d of %s took %v, where %v are allowed. ", what, t.N, where, short(t.Took), b.Budget)
		said.WriteString(o.blame(t))
	}
	if len(o.Ticks) > 0 {
		fmt.Fprintf(&said, "%s read %d packets and operations. There were %d players, %d creatures and %d corpses; %d things were awake and %d asleep. ",
			it, t.Load.Items, t.Load.Players, t.Load.Creatures, t.Load.Corpses, t.Load.Awake, t.Load.Asleep)
	}
	if t.Load.Late > 0 {
		fmt.Fprintf(&said, "Scripts had more to do than they may: %d of them wait, and the most was done by those of entry %d. ", t.Load.Late, t.Load.Blame)
	}
	if len(o.Crowds) > 0 {
		c := o.Crowds[0]
		fmt.Fprintf(&said, "The fullest cell is %s at %.0f, %.0f with %d of them, including %d players.", c.Cell, c.X, c.Y, c.Things, c.Players)
	} else {
		said.WriteString("No cell was looked at yet.")
	}
	return said.String()
}

// whereOf is a world, as a summary has it.
func whereOf(id, instance uint32) string {
	if instance == 0 {
		return fmt.Sprintf("map %d", id)
	}
	return fmt.Sprintf("instance %d of map %d", instance, id)
}

// blame names the system whose time grew most, if it explains half of what the tick took too long. No system is named if the
// thread did not run for half of that: systems are timed by the wall clock, and the one that happened to be interrupted took
// long by it; but what is less than a twentieth of the tick is no news.
func (o *Observed) blame(t tickstats.Tick) string {
	all := o.shares(t)
	var took []time.Duration
	sum := time.Duration(0)
	for _, each := range o.Ticks {
		took = append(took, each.Took)
	}
	slices.Sort(took)
	usual := took[len(took)/2]
	for _, s := range all {
		sum += s.Took
	}
	if away := t.Took - t.Ran; t.Ran > 0 && 20*away >= t.Took && 2*away >= t.Took-usual {
		said := fmt.Sprintf("It was preempted: its thread ran for %v, and did not for %v, as the machine, or another goroutine, did something else. ",
			short(t.Ran), short(away))
		if len(all) > 0 && 2*(all[0].Took-all[0].Median) >= away {
			said += fmt.Sprintf("It was in %s meanwhile. ", all[0].System)
		}
		return said
	}
	if len(all) > 0 && 2*(all[0].Took-all[0].Median) >= t.Took-usual {
		said := fmt.Sprintf("%s is to blame: it took %v, where its median is %v. ", all[0].System, short(all[0].Took), short(all[0].Median))
		if len(all) > 1 {
			said += fmt.Sprintf("Next is %s with %v. ", all[1].System, short(all[1].Took))
		}
		return said
	}
	if 2*sum < t.Took {
		return fmt.Sprintf("All systems together took %v: the rest went into publishing, or the machine did something else. ", short(sum))
	}
	return fmt.Sprintf("No system alone is to blame: all together took %v, where a tick usually takes %v. ", short(sum), short(usual))
}

// short leaves out what is of no interest.
func short(d time.Duration) time.Duration {
	switch {
	case d >= time.Second:
		return d.Round(time.Millisecond)
	case d >= time.Millisecond:
		return d.Round(10 * time.Microsecond)
	}
	return d.Round(100 * time.Nanosecond)
}

// Print writes the summary, and the tables that it is made of.
func (b *Bundle) Print(out io.Writer) error {
	fmt.Fprintf(out, "%s, %s, release %s\n\n%s\n", b.At.Format(time.DateTime), b.Cause.Kind, b.Release, b.Summary)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	if o := b.world(); o != nil {
		b.printWorld(w, o)
	}
	fmt.Fprintf(w, "\nmap\tinstance\tticks\tslowest\tinboxes\t\n")
	for i := range b.Worlds {
		o := &b.Worlds[i]
		fmt.Fprintf(w, "%d\t%d\t%d\t%v\t%s\t\n", o.Map, o.Instance, max(o.Ended, len(o.Ticks)), short(o.slowest().Took), o.Inboxes) // releases before did not say how many have ended
	}
	return w.Flush()
}

// printWorld writes the tables of the world that the bundle is about.
func (b *Bundle) printWorld(w io.Writer, o *Observed) {
	of, _ := b.tick(o)
	fmt.Fprintf(w, "\nsystem\ttick %d\tmedian\tworst\t\n", of.N)
	for _, s := range o.shares(of) {
		fmt.Fprintf(w, "%s\t%v\t%v\t%v\t\n", s.System, short(s.Took), short(s.Median), short(s.Worst))
	}
	fmt.Fprintf(w, "\ncell\tx\ty\tthings\tplayers\t\n")
	for _, c := range o.Crowds {
		fmt.Fprintf(w, "%s\t%.0f\t%.0f\t%d\t%d\t\n", c.Cell, c.X, c.Y, c.Things, c.Players)
	}
	slow := bySlowness(o.Ticks)
	fmt.Fprintf(w, "\ntick\tstep\ttook\tran\tread\tplayers\tawake\t\n")
	for _, t := range slow[:min(maxSlowest, len(slow))] {
		fmt.Fprintf(w, "%d\t%v\t%v\t%v\t%d\t%d\t%d\t\n", t.N, t.Step, short(t.Took), short(t.Ran), t.Load.Items, t.Load.Players, t.Load.Awake)
	}
}

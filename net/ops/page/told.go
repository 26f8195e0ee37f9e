package page

import (
	"encoding/json"
	"errors"
	"net/url"
	"strconv"
	"time"

	"muster/net/replication/inspect"
	"muster/sched/tickstats"
)

// Bounds of one event. What is more comes with the next, the oldest first: nothing is left out.
const (
	ticksTold   = 200
	secondsTold = 150
	namesTold   = 200
)

// ticksTime is how far back the first event begins with single ticks; seconds begin where tickstats does.
const ticksTime = 10 * time.Second

// told is what a watcher has been told.
type told struct {
	systems bool
	tick    uint64
	second  int64           // -1: none
	names   map[uint64]bool // players, by GUID
}

// newTold reads what a watcher that comes back has: the last tick, and the last second.
func newTold(query url.Values) (*told, error) {
	t := &told{second: -1, names: make(map[uint64]bool)}
	var err error
	if text := query.Get("tick"); text != "" {
		if t.tick, err = strconv.ParseUint(text, 10, 63); err != nil {
			return nil, errors.New("tick is a number")
		}
	}
	if text := query.Get("second"); text != "" {
		if t.second, err = strconv.ParseInt(text, 10, 63); err != nil || t.second < -1 {
			return nil, errors.New("second is a number")
		}
	}
	return t, nil
}

// appendSystems writes the names of the systems, once.
func (t *told) appendSystems(b []byte, stats *tickstats.Stats) []byte {
	if t.systems {
		return b
	}
	t.systems = true
	names := []string{}
	for _, s := range stats.Systems() {
		names = append(names, s.Name)
	}
	list, _ := json.Marshal(names)
	return append(append(b, `,"systems":`...), list...)
}

// appendTicks writes ticks that the watcher has not been told: the number, the units of the step, microseconds, and
// those of each system.
func (t *told) appendTicks(b []byte, stats *tickstats.Stats) []byte {
	if last, ok := stats.Latest(); ok && last.N < t.tick { // the server has been started again: its numbers begin anew
		t.tick, t.second = 0, -1
	}
	ticks := stats.After(t.tick)
	if last, ok := stats.Latest(); ok { // a watcher that is further behind than the window needs no older ones
		for len(ticks) > 0 && time.Duration(last.N-ticks[0].N)*stats.Quantum >= ticksTime {
			ticks = ticks[1:]
		}
	}
	b = append(b, `,"ticks":[`...)
	for i := range ticks[:min(len(ticks), ticksTold)] {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendTick(append(b, '['), &ticks[i], stats.Quantum), ']')
		t.tick = ticks[i].N
	}
	return append(b, ']')
}

func appendTick(b []byte, t *tickstats.Tick, unit time.Duration) []byte {
	b = append(strconv.AppendUint(b, t.N, 10), ',')
	b = append(strconv.AppendInt(b, int64(t.Step/unit), 10), ',')
	b = strconv.AppendInt(b, t.Took.Microseconds(), 10)
	for _, d := range t.Spent {
		b = strconv.AppendInt(append(b, ','), d.Microseconds(), 10)
	}
	return b
}

// appendSeconds writes seconds that are over and that the watcher has not been told: ticks, how many were late, and the
// longest of them as a tick.
func (t *told) appendSeconds(b []byte, stats *tickstats.Stats) []byte {
	seconds := stats.Seconds(t.second)
	b = append(b, `,"seconds":[`...)
	for i := range seconds[:min(len(seconds), secondsTold)] {
		s := &seconds[i]
		if i > 0 {
			b = append(b, ',')
		}
		b = append(strconv.AppendInt(append(b, '['), int64(s.Ticks), 10), ',')
		b = append(strconv.AppendInt(b, int64(s.Late), 10), ',')
		b = append(appendTick(b, &s.Longest, stats.Quantum), ']')
		t.second = int64(s.N)
	}
	b = append(b, `],"second":`...)
	return strconv.AppendInt(b, t.second, 10)
}

// appendNames writes the GUIDs and names of players that the watcher has not been told.
func (t *told) appendNames(b []byte, things []inspect.Thing, name func(uint64) string) []byte {
	if name == nil {
		return b
	}
	var fresh []string
	for i := range things {
		of := &things[i]
		if of.Kind != inspect.Player || t.names[of.GUID] {
			continue
		}
		if text := name(of.GUID); text != "" {
			t.names[of.GUID] = true
			fresh = append(fresh, "0x"+strconv.FormatUint(of.GUID, 16), text)
		}
		if len(fresh) >= 2*namesTold {
			break
		}
	}
	if len(fresh) == 0 {
		return b
	}
	list, _ := json.Marshal(fresh)
	return append(append(b, `,"names":`...), list...)
}

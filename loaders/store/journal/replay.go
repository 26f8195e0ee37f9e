package journal

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"muster/components/life"
	"muster/loaders/store"
)

// A Report is what Open has found.
type Report struct {
	Segments   int // files
	Records    int
	Characters int // pending
	Torn       int // bytes at the ends of files, of what was being written when a process ended: it was never safe
	Orphans    int // records that need one that is missing, and were left out
	Damage     []Damage
}

// Damage is a file that is damaged in the middle. What can be read of it counts all the same, as far as it is
// consistent; the file itself is put aside.
type Damage struct {
	File    string // its name now
	Bytes   int    // that are no records
	Records uint64 // that are missing, here or before
}

// replay reads what is there, and begins where that ends.
func (j *Journal) replay(ctx context.Context) (Report, error) {
	var r Report
	var unmatched []loose
	names, err := j.config.FS.List()
	if err != nil {
		return r, fmt.Errorf("journal: %w", err)
	}
	slices.Sort(names)
	s := &j.segments
	for _, name := range names {
		number, ok := numberOf(strings.TrimSuffix(name, corrupt))
		if ok {
			s.number = max(s.number, number+1)
		}
		if !ok || strings.HasSuffix(name, corrupt) {
			continue
		}
		if err := j.readSegment(name, &r, &unmatched); err != nil {
			return r, err
		}
	}
	if r.Orphans, err = j.tie(ctx, unmatched); err != nil {
		return r, err
	}
	if len(r.Damage) > 0 {
		more, err := j.dropOrphans(ctx)
		if err != nil {
			return r, err
		}
		r.Orphans += more
		j.adopt(&r)
	}
	j.config.Metric.Add("journal.orphan", uint64(r.Orphans))
	s.trim()
	j.bytes.Store(s.bytes)
	r.Characters = len(j.pending.all)
	for _, e := range j.pending.all {
		j.pending.enqueue(e)
	}
	if r.Characters > 0 {
		signal(j.work)
	}
	return r, nil
}

func (j *Journal) readSegment(name string, r *Report, unmatched *[]loose) error {
	b, err := j.config.FS.Read(name)
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	s := &j.segments
	seg := &segment{name: name}
	began := s.next
	found, err := read(b, func(rec *record) {
		r.Records++
		if !j.pending.relearn(rec, seg) {
			*unmatched = append(*unmatched, loose{*rec, seg})
		}
	})
	if err != nil {
		return fmt.Errorf("%w (%s)", err, name)
	}
	if r.Segments++; r.Segments > 1 && found.first > began {
		found.missing += found.first - began
	}
	if found.damaged > 0 || found.missing > 0 || found.first == 0 && found.next != 0 {
		r.Damage = append(r.Damage, Damage{File: name, Bytes: found.damaged, Records: found.missing})
	} else if r.Torn += found.torn; found.torn > 0 {
		_ = j.config.FS.Truncate(name, int64(found.good)) // else it is torn the next time, too
		b = b[:found.good]
	}
	s.next = max(s.next, found.next)
	seg.size = int64(len(b))
	seg.good = seg.size
	s.all = append(s.all, seg)
	s.bytes += seg.size
	return nil
}

// relearn updates an entry from a record, or makes one. It is false if a version that it needs is missing.
func (p *pending) relearn(r *record, in *segment) bool {
	switch e := p.all[r.now.GUID]; {
	case e == nil:
		p.begin(r, in)
	case r.now.Version <= e.now.Version:
	case r.lists == life.All || r.since <= e.now.Version:
		e.now.Merge(&r.now, r.lists)
		e.has |= r.lists
	default:
		return false
	}
	return true
}

// begin makes an entry of a record.
func (p *pending) begin(r *record, in *segment) {
	e := &entry{now: r.now, has: r.lists, base: r.since, left: true, old: in.need()}
	p.add(e)
}

// A loose record does not continue those before it: one in between is missing.
type loose struct {
	record
	in *segment
}

// tie checks whether the store has what loose records need, and returns how many are orphans. For such a character
// the records before them count.
func (j *Journal) tie(ctx context.Context, all []loose) (orphans int, err error) {
	for i := range all {
		l := &all[i]
		if j.pending.relearn(&l.record, l.in) {
			continue
		}
		stored, err := j.Store.Character(ctx, l.now.GUID)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return orphans, err
		}
		if err != nil || stored.Version < l.since {
			orphans++
			continue
		}
		j.pending.drop(j.pending.all[l.now.GUID])
		j.pending.begin(&l.record, l.in)
	}
	return orphans, nil
}

// dropOrphans drops the entries of orphans.
func (j *Journal) dropOrphans(ctx context.Context) (n int, err error) {
	for guid, e := range j.pending.all {
		if e.has == life.All {
			continue
		}
		stored, err := j.Store.Character(ctx, guid)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return n, err
		}
		if _, ok := e.over(&stored); !ok {
			j.pending.drop(e)
			n++
		}
	}
	return n, nil
}

// adopt writes what is pending after damage to a new segment, and puts the damaged files aside. If that fails, all
// stays as it is.
func (j *Journal) adopt(r *Report) {
	if len(j.pending.all) > 0 && j.rewrite(math.MaxInt64) != nil {
		return
	}
	s := &j.segments
	for i := range r.Damage {
		d := &r.Damage[i]
		aside := d.File + corrupt
		if s.config.FS.Rename(d.File, aside) != nil {
			return
		}
		s.forget(d.File)
		d.File = aside
	}
}

// forget drops a segment that is no longer there.
func (s *segments) forget(name string) {
	s.all = slices.DeleteFunc(s.all, func(seg *segment) bool {
		if seg.name == name {
			s.bytes -= seg.size
		}
		return seg.name == name
	})
}

package worldspec

import (
	"cmp"
	"math"
	"reflect"
	"time"

	"muster/cmd/internal/release"
	"muster/components/defs"
	"muster/internal/metric"
	"muster/loaders/synth"
	"muster/net/replication/recording"
	"muster/net/replication/streamlog"
	"muster/systems"
	"muster/systems/death"
)

// ShareMs is that of the headers of this release.
const ShareMs = uint32(systems.ShareEvery / time.Millisecond)

// Header is what the world of a map is made of: all of it, for NewWorld has no other input.
func (v *Settings) Header(m *defs.Map, ephemeral bool) recording.Header {
	return recording.Header{
		Release: release.Name(), Toolchain: release.Toolchain(),
		Seed: v.Seed, Creatures: v.Creatures, Start: v.Start, Map: m.ID, StepMs: uint32(v.Rungs().Quantum / time.Millisecond),
		Strikes: v.strikes(), Reclaim: v.DeathReclaim, XPRate: v.RateXP, Ephemeral: ephemeral, ShareMs: ShareMs,
	}
}

// InstanceHeader is the header of an instance of a map: each has chances of its own, and the definitions of all.
func InstanceHeader(h recording.Header, number uint32) recording.Header {
	if number != 0 {
		h.Defs, h.Seed = cmp.Or(h.Seed, synth.DefaultSeed), h.Seed+uint64(number)
	}
	return h
}

// strikes is that of the worlds. On a virtual clock it is never reached: a client can answer a change of its movement no
// sooner than the machine's clock lets it, which is too late by a clock that runs faster.
func (v *Settings) strikes() uint32 {
	if v.Clock == "virtual" {
		return math.MaxUint32
	}
	return v.Strikes
}

// NewDefs makes what all worlds of one seed have in common.
func NewDefs(seed uint64, creatures int, start string) (*defs.World, error) {
	if creatures == 0 {
		creatures = -1 // none, where 0 is the default
	}
	return synth.New(synth.Config{Seed: seed, Creatures: creatures, Start: synth.Start(start)})
}

// Reclaims are the ways in which dead players are resurrected.
var Reclaims = map[string]death.Reclaim{"anywhere": death.Anywhere, "corpse": death.AtCorpse}

// NewWorld makes the world of a header.
func NewWorld(h *recording.Header, d *defs.World, counters *metric.Table) *systems.World {
	return systems.New(worldConfig(h, d, counters))
}

// worldConfig is the configuration of the world of a log.
func worldConfig(h *recording.Header, d *defs.World, counters *metric.Table) systems.Config {
	return systems.Config{
		Defs: d, Map: d.Map(h.Map), Seed: h.Seed, Quantum: time.Duration(h.StepMs) * time.Millisecond, Metric: counters,
		Strikes: h.Strikes, Reclaim: Reclaims[h.Reclaim], XPRate: h.XPRate, Ephemeral: h.Ephemeral,
		ShareEvery: h.ShareEvery(),
	}
}

// RestoreWorld restores a snapshot of a log in a world of that, which goes on by another header perhaps. The error wraps streamlog.ErrDamaged if what is
// restored is not the world that was written, which is looked at if this release has written it: that takes as long as a snapshot.
func RestoreWorld(w *systems.World, s *streamlog.Snapshot) error {
	if err := w.Restore(s.State); err != nil {
		return err
	}
	by := &s.Header
	if s.Before != nil {
		by = s.Before
	}
	if by.Release == release.Name() && by.Toolchain == release.Toolchain() {
		again, err := w.AppendSnapshot(nil)
		if err == nil {
			err = s.Check(again)
		}
		if err != nil {
			return err
		}
	}
	if s.Before != nil {
		w.Adopt(worldConfig(s.Before, &defs.World{}, nil))
	}
	return nil
}

// OtherSetting names a setting in which two headers differ, "" if there is none. ShareMs is not compared, as it is no setting of the world. Releases that do not know Defs leave it out of the header of an
// instance: then it is not compared.
func OtherSetting(a, b *recording.Header) string {
	c := *a
	if a.Defs == 0 || b.Defs == 0 {
		c.Defs = b.Defs
	}
	c.ShareMs = b.ShareMs
	x, y := reflect.ValueOf(c), reflect.ValueOf(*b)
	for i := range x.NumField() {
		if !reflect.DeepEqual(x.Field(i).Interface(), y.Field(i).Interface()) {
			return x.Type().Field(i).Name
		}
	}
	return ""
}

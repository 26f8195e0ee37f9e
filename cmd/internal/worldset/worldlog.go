package worldset

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"muster/cmd/internal/playback"
	"muster/cmd/internal/worldspec"
	"muster/internal/metric"
	"muster/loaders/store"
	"muster/net/gateway"
	"muster/net/ops/flight"
	"muster/net/replication/recording"
	"muster/net/replication/worldlog"
	"muster/sched"
	"muster/systems"
)

// logEvery is the time of a world between two snapshots in its log. A server that was killed runs at most so much of
// each world again.
const logEvery = 30 * time.Second

// continueTime bounds each call of the store for the players of a world that is continued.
const continueTime = 10 * time.Second

// maxAttempts is how often a start tries to continue worlds before it has them begin anew: what they run again may be what
// ended the server before.
const maxAttempts = 3

// Logs keep the worlds of a server on a disk, and continue those of the server before it.
type Logs struct {
	folder string
	store  store.Store
	saver  gateway.Saver
	metric *metric.Table
	log    *slog.Logger

	boot     string // what the run of the machine is called
	lastBoot string // likewise, of logs that do not say it: those of the releases before
	attempts int    // starts since the last one that has continued the worlds, or had them begin anew

	newest    time.Duration // of all worlds that were continued
	setsAside bool          // instances of this start were set aside, and those of others were removed there

	mu   sync.Mutex
	logs []*worldlog.Log
}

// NewLogs makes logs of worlds in a folder, whose players are characters of a store and are saved by saver. It counts the attempts to continue
// them.
func NewLogs(folder string, kept store.Store, saver gateway.Saver, counters *metric.Table, log *slog.Logger) (*Logs, error) {
	k := &Logs{folder: folder, store: kept, saver: saver, metric: counters, log: log, boot: bootID()}
	return k, k.begin()
}

// begin counts an attempt.
func (k *Logs) begin() error {
	if err := os.MkdirAll(k.folder, 0o700); err != nil {
		return fmt.Errorf("--durable world: %w", err)
	}
	k.lastBoot = readLine(filepath.Join(k.folder, "boot"))                      // of the last release that has written it
	k.attempts, _ = strconv.Atoi(readLine(filepath.Join(k.folder, "attempts"))) // none if there is no such file
	return k.note("attempts", strconv.Itoa(k.attempts+1))
}

// continues notes that all worlds are continued, or have begun anew.
func (k *Logs) continues() error {
	return k.note("attempts", "0")
}

func (k *Logs) note(name, line string) error {
	if err := os.WriteFile(filepath.Join(k.folder, name), []byte(line), 0o600); err != nil {
		return fmt.Errorf("--durable world: %w", err)
	}
	return nil
}

// readLine is what a file has, "" if there is none.
func readLine(path string) string {
	b, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}

// bootID is another one each time that the machine starts, "" if it does not tell.
//
// Source: random(4), /proc/sys/kernel/random/boot_id.
func bootID() string { return readLine("/proc/sys/kernel/random/boot_id") }

// newWorld makes the world of a map, or of an instance of it, as its log has it, and as anew if there is none, or none of use.
func (k *Logs) newWorld(number uint32, h *recording.Header, fresh func() *systems.World) (*systems.World, *worldlog.Log, error) {
	world := fresh()
	tick, err := k.restore(number, h, world)
	if errors.Is(err, errStore) {
		return nil, nil, err
	}
	if err != nil {
		to, failed := k.setAside(number, h.Map)
		if failed != nil {
			return nil, nil, errors.Join(err, failed)
		}
		k.logOf(number).Error("the world cannot be continued, and begins anew", "map", h.Map, "err", err, "was", to)
		world, tick = fresh(), 0
	}
	log, err := k.beginLog(number, h, world, tick)
	k.newest = max(k.newest, time.Duration(tick)*unitOf(h))
	return world, log, err
}

// beginLog begins the log of a world that is as it was made, or as after a tick.
func (k *Logs) beginLog(number uint32, h *recording.Header, world *systems.World, tick uint64) (*worldlog.Log, error) {
	if err := world.PrepareSnapshots(); err != nil {
		return nil, err
	}
	log, err := worldlog.Begin(worldlog.Config{
		Folder: worldlog.InstanceFolder(k.folder, number), Header: *h, Boot: k.boot, Every: uint64(logEvery / unitOf(h)), Back: uint64(flight.Window / unitOf(h)), Metric: k.metric,
		State: world.CopySnapshot, Size: world.SnapshotBytes,
		Failed: func(err error, ended bool) {
			if ended {
				k.logOf(number).Error("the world is not kept until its next snapshot", "map", h.Map, "err", err)
			} else {
				k.logOf(number).Warn("a snapshot of the world was not written", "map", h.Map, "err", err)
			}
		},
	}, tick)
	if err != nil {
		return nil, fmt.Errorf("--durable world: %w", err)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.logs = append(k.logs, log)
	return log, nil
}

// unitOf is the time that the number of a tick counts.
func unitOf(h *recording.Header) time.Duration { return time.Duration(h.StepMs) * time.Millisecond }

// logOf is where it is said what becomes of a world.
func (k *Logs) logOf(number uint32) *slog.Logger {
	if number == 0 {
		return k.log
	}
	return k.log.With("instance", number)
}

// setAside moves what is kept of a world that cannot be continued, and returns where to. Of instances there is what this start has set aside alone.
func (k *Logs) setAside(number, place uint32) (to string, err error) {
	if number == 0 {
		return worldlog.SetAside(k.folder, worldlog.Refused, place)
	}
	if !k.setsAside {
		if err := worldlog.RemoveInstances(k.folder + worldlog.Refused); err != nil {
			return "", err
		}
		k.setsAside = true
	}
	return worldlog.SetInstanceAside(k.folder, worldlog.Refused, number)
}

// restore makes a new world what the log has, but without its players, which are in the store when it returns. It returns
// the last tick, 0 if there is no log.
func (k *Logs) restore(number uint32, h *recording.Header, world *systems.World) (tick uint64, err error) {
	found, err := worldlog.Open(worldlog.InstanceFolder(k.folder, number), h.Map)
	if err != nil || found == nil {
		return 0, err
	}
	if k.attempts >= maxAttempts {
		return 0, fmt.Errorf("%d starts have tried to", k.attempts)
	}
	began := time.Now()
	left := make(map[uint64][]byte)
	p, err := Rerun(found, h, world, left)
	switch {
	case err != nil || p.Tick == 0:
		return 0, err
	case !found.Closed() && k.boot != cmp.Or(found.Boot, k.lastBoot):
		return 0, errors.New("the machine was started anew since, and the log may lack what its system had not written")
	}
	players := world.Players()
	if err := k.settle(p, time.Duration(h.StepMs)*time.Millisecond, left); err != nil {
		return 0, err
	}
	world.ForgetItemGUIDs() // after the last tick whose frame no gateway reads: what it asks for is not given
	k.logOf(number).Info("the world is continued", "map", h.Map, "tick", p.Tick, "ran", p.Ticks, "players", players,
		"took", time.Since(began).Round(time.Millisecond))
	return p.Tick, nil
}

// Rerun makes a new world what a log has. It notes the last state of players that left it meanwhile, by GUID.
func Rerun(found *worldlog.Found, h *recording.Header, world *systems.World, left map[uint64][]byte) (*playback.Playback, error) {
	was, now := found.Header, *h
	other := was.Release != now.Release || was.Toolchain != now.Toolchain
	was.Release, was.Toolchain, was.Segment, was.Parts = now.Release, now.Toolchain, now.Segment, now.Parts
	field := worldspec.OtherSetting(&was, &now)
	switch {
	case field != "":
		return nil, fmt.Errorf("it was a world with another %s", field)
	case other && now.World == "": // the synthetic world is made by the release
		return nil, playback.ErrOtherRelease(&found.Header)
	}
	p := &playback.Playback{Header: found.Header, World: world, Tick: found.Since()}
	if found.Snapshot != nil {
		if err := world.Restore(found.Snapshot.State); err != nil {
			return nil, err
		}
	}
	return p, found.Each(func(n uint64, inbox []byte) error {
		if other {
			return playback.ErrOtherRelease(&found.Header)
		}
		if err := p.Run(n, inbox); err != nil {
			return err
		}
		return p.NoteLeft(left)
	})
}

var (
	// errBehind is the error of a log that is older than what is stored.
	errBehind = errors.New("what is stored of its players is newer")
	// errStore is the error of a store that cannot have the players of a world that could be continued.
	errStore = errors.New("--durable world: the players of a world are not saved")
)

// advance sets the clock of the worlds to that of the newest of them.
func (k *Logs) advance(c sched.Clock) { c.(*sched.RealClock).Advance(k.newest) }

// close has the worlds, which have stopped, as they are now.
func (k *Logs) close() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, l := range k.logs {
		if err := l.Close(); err != nil {
			k.log.Error("a world is not kept as it is at the end", "err", err)
		}
	}
}

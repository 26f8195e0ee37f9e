package main

import (
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"muster/bench/swarm"
	"muster/net/replication/recording"
	"muster/net/replication/worldlog"
)

// ranLine is what replay says of the log of map 0.
var ranLine = regexp.MustCompile(`^map 0: (\d+) ticks after tick (\d+), with (\d+) items in .* times as fast as they were; (?:(\d+) digests, all the same|no digests to compare with)\n(?:map 0: there is no tick (\d+), the last is tick (\d+)\n)?map 0: after tick (\d+) the hash of the world is ([0-9a-f]{16})\n$`)

// A ran log is what replay says of one.
type ran struct {
	ticks, since, digests, last int
	beyond                      string // the tick that there is not
	hash                        string
}

func runsLog(t *testing.T, args ...string) (r ran) {
	t.Helper()
	code, stdout, stderr := execute(t, nil, append([]string{"replay", "--map", "0"}, args...)...)
	m := ranLine.FindStringSubmatch(stdout)
	if code != exitOK || m == nil || stderr != "" {
		t.Fatalf("replay %v: exit code %d\n%s%s", args, code, stdout, stderr)
	}
	for i, to := range map[int]*int{1: &r.ticks, 2: &r.since, 4: &r.digests, 7: &r.last} {
		*to, _ = strconv.Atoi(m[i]) // 0 where there are no digests
	}
	r.beyond, r.hash = m[5], m[8]
	return r
}

// The log that a worker keeps in a stream is run from a tick, up to a tick, and beside another muster that has another rule, as a recording is; and so is a folder that its world was
// saved in.
func TestReplayOfAStream(t *testing.T) {
	waits(t)
	url := startStreams(t).ClientURL()
	one := work(t, "--bus", url, "--creatures", "2000", "--start", "one", "--durable", "world", "--snapshot-every", "2s")
	s := serve(t, "--bus", url, "--creatures", "2000", "--start", "one", "--ephemeral")
	swarms(t, s, swarm.Config{Prefix: "LOG", Clients: 20, Behaviour: swarm.Grind, Duration: 8 * time.Second})
	s.stop(syscall.SIGTERM, 1)
	one.cmd.Process.Signal(syscall.SIGTERM)
	<-one.ended
	realm := url + "/muster"

	end := runsLog(t, realm)
	all := runsLog(t, realm, "--from", "1")
	if all.since >= end.since || all.last != end.last || all.hash != end.hash || all.digests <= end.digests || all.digests < 4 || all.beyond != "" {
		t.Errorf("from its beginning it is run as %+v, from its newest snapshot as %+v", all, end)
	}
	middle := fmt.Sprint(end.since - 1)
	one2, two := runsLog(t, realm, "--until", middle), runsLog(t, realm, "--until", middle, "--from", "1")
	if one2.since <= two.since || one2.last != two.last || one2.hash != two.hash || one2.hash == end.hash || one2.last > end.since-1 {
		t.Errorf("up to tick %s it is run as %+v from the snapshot before, and as %+v from the beginning; to its end as %+v", middle, one2, two, end)
	}
	if beyond := runsLog(t, realm, "--until", fmt.Sprint(end.last+9)); beyond.beyond != fmt.Sprint(end.last+9) || beyond.hash != end.hash {
		t.Errorf("up to a tick after its end it is run as %+v", beyond)
	}
	fails := func(says string, args ...string) {
		t.Helper()
		code, stdout, stderr := execute(t, nil, append([]string{"replay"}, args...)...)
		if code == exitOK || !regexp.MustCompile(says).MatchString(stderr) {
			t.Errorf("replay %v: exit code %d\n%s%s\nwant %s", args, code, stdout, stderr, says)
		}
	}
	fails("--snapshot-every is for recordings", realm, "--snapshot-every", "20")

	other := filepath.Join(t.TempDir(), "muster")
	build(t, other, "../../systems/combat/weaponhit.go", "*p.DamageDone) * q.DamageTaken", "*p.DamageDone) * 2 * q.DamageTaken")
	code, _, stderr := conclude(t, binary, "replay", realm, "--map", "0", "--from", "1", "--bisect", other)
	found := regexp.MustCompile(`map 0: after tick (\d+), and no earlier, the worlds differ: .*(?:Vitals|DamageDealt).* (creature \d+ of entry|player) \d+`).FindStringSubmatch(stderr)
	if found == nil || code != exitFailure {
		t.Fatalf("beside another muster: exit code %d\n%s", code, stderr)
	}
	tick, err := strconv.Atoi(found[1])
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{binary, "--from", "1"}, {other, "--from", "1", "--until", fmt.Sprint(tick - 1)}} {
		code, stdout, stderr := conclude(t, binary, append([]string{"replay", realm, "--map", "0", "--bisect"}, args...)...)
		if code != exitOK || !strings.Contains(stdout, "map 0: after none of ") || !strings.Contains(stdout, "do the worlds differ") {
			t.Errorf("beside %v: exit code %d\n%s%s", args, code, stdout, stderr)
		}
	}

	saved := filepath.Join(t.TempDir(), "saved")
	mustSnapshot(t, "save", "--bus", url, "--map", "0", saved)
	if r := runsLog(t, saved, "--from", fmt.Sprint(end.last)); r.hash != end.hash || r.ticks != 0 || r.digests != 0 {
		t.Errorf("saved, it is run as %+v; want %+v", r, end)
	}
	fails(fmt.Sprintf("^muster: error: map 0: tick 1 is not in the log any more: it has the ticks after %d, and can begin after ticks %[1]d\n", end.last), saved, "--from", "1")
}

// Of several worlds in a folder each that cannot be run is named, and why.
func TestReplayNamesAllWorlds(t *testing.T) {
	folder := t.TempDir()
	for _, id := range []uint32{0, 1} {
		c, err := worldlog.NewCopy(folder, &recording.Header{Release: "another", Seed: 1, Map: id, Start: "one", StepMs: 50, Reclaim: "anywhere", XPRate: 1}, nil, math.MaxInt64)
		if err == nil {
			err = c.Close("at once")
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	code, stdout, stderr := execute(t, nil, "replay", folder)
	if code == exitOK || strings.Count(stderr, "map 0: ") != 1 || strings.Count(stderr, "map 1: ") != 1 || strings.Count(stderr, "another") != 2 {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
}

// Bundles of a worker have what its worlds have in the log of a stream, with digests, and are run when there is no stream any more.
func TestFlightOfAStream(t *testing.T) {
	waits(t)
	streams := startStreams(t)
	url, data := streams.ClientURL(), t.TempDir()
	one := work(t, "--bus", url, "--creatures", "0", "--start", "one", "--durable", "world", "--flight-dir", filepath.Join(data, "flight"), "--flight-budget", "1us", "--flight-every", "1s")
	s := serve(t, "--bus", url, "--creatures", "0", "--start", "one", "--ephemeral")
	v := visit(t, s, "ANNA")
	v.create("Anna")
	v.enter()
	v.plays("begun")
	began := len(bundlesIn(t, data))
	eventually(t, "there are bundles", func() bool { return len(bundlesIn(t, data)) > began+3 })
	s.stop(syscall.SIGTERM, 1)
	one.cmd.Process.Signal(syscall.SIGTERM)
	<-one.ended
	bundles := bundlesIn(t, data)
	newest := bundles[len(bundles)-1]
	last := fmt.Sprint(runsLog(t, newest).last)
	log := runsLog(t, url+"/muster", "--from", "1", "--until", last)
	streams.Shutdown()
	streams.WaitForShutdown()
	if r := runsLog(t, newest, "--until", last); r.hash != log.hash || r.last != log.last || r.digests == 0 || r.ticks == 0 {
		t.Errorf("%s is run as %+v, and was in the log as %+v", newest, r, log)
	}
}

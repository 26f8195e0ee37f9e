package instancelog

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"muster/internal/metric"
	"muster/net/gateway/instances"
	"muster/net/replication/worldlog"
)

// said is what is kept, as lines.
func said(k instances.Kept, now time.Time) (lines []string) {
	for _, c := range k.Changes(now) {
		lines = append(lines, strings.TrimSpace(string(appendLine(nil, c))))
	}
	return lines
}

func open(t *testing.T, path string) (*Log, instances.Kept) {
	t.Helper()
	l, kept, err := Open(path, new(metric.Table), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l, kept
}

// What was noted is there for the next process, after whatever byte the file ends; changes of which the last has no end are left out.
func TestChangesAreKept(t *testing.T) {
	path, now := filepath.Join(t.TempDir(), "instances"), time.Now()
	l, kept := open(t, path)
	if len(said(kept, now)) != 0 {
		t.Errorf("a new file has %q", said(kept, now))
	}
	l.Note(instances.Change{Kind: instances.IsMade, Number: 1, Map: 3}, instances.Change{Kind: instances.IsBound, Number: 1, GUID: 7})
	l.Note(instances.Change{Kind: instances.IsEntered, Number: 1, Account: 5, Unix: now.Unix() - 3599})
	l.Note(instances.Change{Kind: instances.IsMade, Number: 2, Map: 3}, instances.Change{Kind: instances.IsBound, Number: 2, GUID: 8})
	l.Note(instances.Change{Kind: instances.IsBound, Number: 1, GUID: 9})
	l.Note(instances.Change{Kind: instances.IsUnbound, Number: 1, GUID: 7})
	l.Note(instances.Change{Kind: instances.IsEntered, Number: 2, Account: 6, Unix: now.Unix() - 3600})
	l.Note(instances.Change{Kind: instances.IsOver, Number: 2})
	want := []string{`{"kind":"last","number":2}`, `{"kind":"made","number":1,"map":3}`, `{"kind":"bound","number":1,"guid":9}`,
		fmt.Sprintf(`{"kind":"entered","number":1,"account":5,"unix":%d}`, now.Unix()-3599)}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path+".1.part", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, kept = open(t, path)
	if all, err := os.ReadDir(filepath.Dir(path)); err != nil || len(all) != 1 {
		t.Errorf("in the folder are %v, %v", all, err)
	}
	if got := said(kept, now); !slices.Equal(got, want) {
		t.Errorf("kept are %q, want %q", got, want)
	}
	lines, ends := 0, 0
	for n := range whole { // a process ends after any byte
		if err := os.WriteFile(path, whole[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		kept, begun, err := read(path)
		if err != nil || begun != (n > len(magic)) {
			t.Fatalf("after %d bytes: begun %v, %v", n, begun, err)
		}
		if again := len(said(kept, now)); again != lines {
			lines, ends = again, ends+1
		}
	}
	if ends < 5 {
		t.Errorf("it has changed %d times", ends)
	}
}

// The end of a file is on the disk with its name, once it is closed.
func TestClosedFileIsOnTheDisk(t *testing.T) {
	path, broken := Path(t.TempDir()), errors.New("broken")
	l, _ := open(t, path)
	l.Note(instances.Change{Kind: instances.IsMade, Number: 1, Map: 3})
	var names []string
	l.sync = func(folder string) error {
		names = append(names, folder)
		return broken
	}
	if err := l.Close(); !errors.Is(err, broken) || !slices.Equal(names, []string{filepath.Dir(path)}) {
		t.Errorf("closed with a sync of %v: %v", names, err)
	}
	if err := l.Close(); err != nil { // what is closed has nothing to sync
		t.Error(err)
	}
}

// A file is read that says when instances were made, as the release before has written it.
func TestTimesAreLeftOut(t *testing.T) {
	path := Path(t.TempDir())
	if err := os.WriteFile(path, []byte(magic+"\n"+`{"kind":"made","number":7,"map":3,"unix":50}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, kept := open(t, path)
	if got, want := said(kept, time.Now()), []string{`{"kind":"last","number":7}`, `{"kind":"made","number":7,"map":3}`}; !slices.Equal(got, want) {
		t.Errorf("kept are %q, want %q", got, want)
	}
}

// A file of another format, and one with a line that cannot be, are refused.
func TestDamageIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "instances")
	for _, text := range []string{
		"muster instances 2\n", "\n", strings.Repeat("a", 10_000), magic + "\nno JSON\n", magic + "\n" + strings.Repeat(" ", 10_000) + "\n",
		magic + "\n" + `{"kind":"over","number":1}` + "\n", magic + "\n" + `{"kind":"other","number":1}` + "\n",
		magic + "\n" + `{"kind":"made","number":0}` + "\n", magic + "\n" + strings.Repeat(`{"kind":"made","number":1}`+"\n", 2),
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := Open(path, new(metric.Table), slog.New(slog.DiscardHandler)); !errors.Is(err, ErrDamaged) {
			t.Errorf("%.40q: %v", text, err)
		}
		if now, err := os.ReadFile(path); err != nil || string(now) != text {
			t.Errorf("%.40q: it is %q now, %v", text, now, err)
		}
	}
}

// The file is bounded by what it says, however much changes, and visits of more than an hour ago are in it no more.
func TestFileIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "instances")
	l, _ := open(t, path)
	at := time.Unix(1_000_000, 0)
	l.now = func() time.Time { return at }
	longest := int64(0)
	for n := range uint32(40_000) {
		at = at.Add(time.Second)
		l.Note(instances.Change{Kind: instances.IsEntered, Number: n + 1, Account: n % 100, Unix: at.Unix()})
		longest = max(longest, l.length)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if longest > growth+512<<10 || info.Size() != l.length || longest < growth {
		t.Errorf("the file has had %d bytes, and has %d and says %d", longest, info.Size(), l.length)
	}
	if err := l.rewrite(); err != nil {
		t.Fatal(err)
	}
	if got := len(said(l.kept, time.Unix(0, 0))); got != 3600 { // of all that are in memory
		t.Errorf("%d visits are kept, want those of the last hour", got)
	}
}

// What a disk does not take is logged once and counted, and is there when the disk takes the next change.
func TestDiskThatFails(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "worlds")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	var logged bytes.Buffer
	counters := new(metric.Table)
	l, _, err := Open(filepath.Join(folder, "instances"), counters, slog.New(slog.NewTextHandler(&logged, nil)))
	if err != nil {
		t.Fatal(err)
	}
	l.Note(instances.Change{Kind: instances.IsMade, Number: 1, Map: 3})
	if err := errors.Join(l.Close(), os.Rename(folder, folder+".away")); err != nil {
		t.Fatal(err)
	}
	l.Note(instances.Change{Kind: instances.IsBound, Number: 1, GUID: 1})
	l.Note(instances.Change{Kind: instances.IsBound, Number: 1, GUID: 2})
	if err := os.Rename(folder+".away", folder); err != nil {
		t.Fatal(err)
	}
	l.Note()
	if _, kept, err := Open(filepath.Join(folder, "instances"), new(metric.Table), slog.New(slog.DiscardHandler)); err != nil || len(kept.Instances[1].Bound) != 2 {
		t.Errorf("tried again, it has %v; %v", kept.Instances[1].Bound, err)
	}
	l.Note(instances.Change{Kind: instances.IsBound, Number: 1, GUID: 3})
	counted := make(map[string]uint64)
	counters.Each(func(name string, n uint64) { counted[name] = n })
	if text := logged.String(); strings.Count(text, "are not kept") != 1 || strings.Count(text, "kept again") != 1 || counted[Failed] != 2 {
		t.Errorf("%d are counted, and logged is\n%s", counted[Failed], text)
	}
	if err := l.file.Close(); err != nil { // the next write fails, and may have written a half
		t.Error(err)
	}
	l.Note(instances.Change{Kind: instances.IsBound, Number: 1, GUID: 4})
	l.Note(instances.Change{Kind: instances.IsBound, Number: 1, GUID: 5})
	_, kept := open(t, filepath.Join(folder, "instances"))
	if got := slices.Sorted(maps.Keys(kept.Instances[1].Bound)); !slices.Equal(got, []uint64{1, 2, 3, 4, 5}) {
		t.Errorf("bound are %v", got)
	}
	if err := l.file.Close(); err != nil {
		t.Error(err)
	}
	l.Note(instances.Change{Kind: instances.IsBound, Number: 1, GUID: 6})
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if _, kept = open(t, filepath.Join(folder, "instances")); len(kept.Instances[1].Bound) != 6 {
		t.Errorf("after its end bound are %v", kept.Instances[1].Bound)
	}
}

// A change that could not be read again is not written.
func TestChangesOfNoInstance(t *testing.T) {
	path := filepath.Join(t.TempDir(), "instances")
	l, _ := open(t, path)
	l.Note(instances.Change{Kind: instances.IsUnbound, Number: 7, GUID: 1}, instances.Change{Kind: instances.IsMade, Number: 8, Map: 3})
	if _, kept := open(t, path); len(kept.Instances) != 1 || kept.Instances[8].Map != 3 {
		t.Errorf("kept are %v", kept.Instances)
	}
}

// A file that has nothing, where there are logs of instances, is one that is lost.
func TestFileThatIsLost(t *testing.T) {
	worlds := t.TempDir()
	path := Path(worlds)
	lost := func() error {
		_, _, err := Open(path, new(metric.Table), slog.New(slog.DiscardHandler))
		return err
	}
	if err := os.Mkdir(worldlog.InstanceFolder(worlds, 4), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := lost(); !errors.Is(err, ErrDamaged) {
		t.Errorf("without a file: %v", err)
	}
	for _, text := range []string{"", magic[:5], magic} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := lost(); !errors.Is(err, ErrDamaged) {
			t.Errorf("of %q: %v", text, err)
		}
	}
	if err := os.WriteFile(path, []byte(magic+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := lost(); err != nil {
		t.Errorf("of no change: %v", err)
	}
}

// What a process has set aside that was ended in the midst of it stays.
func TestSetAsideAgain(t *testing.T) {
	worlds := filepath.Join(t.TempDir(), "worlds")
	err := errors.Join(os.MkdirAll(worldlog.InstanceFolder(worlds+worldlog.Refused, 1), 0o700), os.MkdirAll(worldlog.InstanceFolder(worlds, 2), 0o700),
		os.WriteFile(Path(worlds), []byte("text"), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	to, err := SetAside(worlds, worldlog.Refused)
	aside, failed := worldlog.Instances(to)
	if text, unread := os.ReadFile(Path(to)); errors.Join(err, failed, unread) != nil || !slices.Equal(aside, []uint32{1, 2}) || string(text) != "text" {
		t.Errorf("set aside are %v and %q; %v", aside, text, errors.Join(err, failed, unread))
	}
}

// All that is kept of instances is set aside in place of what was before, and the worlds of maps are not.
func TestSetAside(t *testing.T) {
	worlds := filepath.Join(t.TempDir(), "worlds")
	if to, err := SetAside(worlds, worldlog.Replaced); to != "" || err != nil {
		t.Errorf("of nothing: %q, %v", to, err)
	}
	for n := range uint32(3) {
		log := filepath.Join(worldlog.InstanceFolder(worlds, n+1), "map3-0000000000.log")
		err := errors.Join(os.MkdirAll(filepath.Dir(log), 0o700), os.WriteFile(log, nil, 0o600), os.WriteFile(filepath.Join(worlds, "map0-0000000000.log"), nil, 0o600))
		if n != 1 { // without a file there are folders, too
			err = errors.Join(err, os.WriteFile(Path(worlds), nil, 0o600))
		}
		if err != nil {
			t.Fatal(err)
		}
		to, err := SetAside(worlds, worldlog.Replaced)
		aside, failed := worldlog.Instances(to)
		if err != nil || failed != nil || to != worlds+".old" || !slices.Equal(aside, []uint32{n + 1}) {
			t.Errorf("set aside in %q are %v; %v, %v", to, aside, err, failed)
		}
		if _, err := os.Stat(Path(to)); err != nil {
			t.Errorf("the file is not set aside: %v", err)
		}
		if left, err := os.ReadDir(worlds); err != nil || len(left) != 1 {
			t.Errorf("left are %v, %v", left, err)
		}
	}
}

// The move of the file is on the disk when it is over, in both folders, and so is the new one of them.
func TestSetAsideIsSynced(t *testing.T) {
	for _, has := range []bool{true, false} {
		worlds := filepath.Join(t.TempDir(), "data", "worlds")
		if err := os.MkdirAll(worlds, 0o700); err != nil {
			t.Fatal(err)
		}
		if has {
			if err := os.WriteFile(Path(worlds), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		var synced []string
		broken := errors.New("broken")
		err := setAside(worlds, worlds+worldlog.Refused, worldlog.Refused, nil, func(folder string) error {
			if _, err := os.Stat(Path(worlds + worldlog.Refused)); err != nil {
				t.Errorf("%s is synced too soon: %v", folder, err)
			}
			synced = append(synced, filepath.Base(folder))
			return broken
		})
		if want := []string{"worlds" + worldlog.Refused, "worlds", "data"}; !slices.Equal(synced, want) || !errors.Is(err, broken) {
			t.Errorf("with a file %v, synced are %v, want %v; %v", has, synced, want, err)
		}
	}
}

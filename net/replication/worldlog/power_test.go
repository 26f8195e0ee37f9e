package worldlog

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A disk has of a folder what was there when that was synced last.
type disk struct {
	t      *testing.T
	folder string
	has    string   // a folder like it
	synced []string // all that were synced, by their base
}

func newDisk(t *testing.T, folder string) *disk {
	return &disk{t: t, folder: folder, has: filepath.Join(t.TempDir(), "disk")}
}

func (d *disk) sync(folder string) error {
	d.synced = append(d.synced, filepath.Base(folder))
	if folder != d.folder {
		return nil
	}
	return errors.Join(os.RemoveAll(d.has), os.CopyFS(d.has, os.DirFS(folder)))
}

// closed reports whether the disk has a world that ended in order.
func (d *disk) closed() bool {
	d.t.Helper()
	f, err := Open(d.has, 530)
	if err != nil {
		d.t.Fatal(err)
	}
	if f == nil {
		return false
	}
	if err := f.Each(func(uint64, []byte) error { return nil }); err != nil {
		d.t.Fatal(err)
	}
	return f.Closed()
}

// When the power fails after a world has ended in order, it is there as it was then. As soon as another log has begun, it is not there any more,
// which would be a world older than its players.
func TestPowerFails(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "worlds", "instance7")
	d := newDisk(t, folder)
	on := func(c *Config) { c.sync = d.sync }
	k := keep(t, folder, 0, on)
	k.run(10, 15)
	if len(d.synced) > 0 {
		t.Errorf("%v are synced while it runs", d.synced)
	}
	if err := k.Close(); err != nil {
		t.Fatal(err)
	}
	if wants(t, d.has, 15); !d.closed() || !slices.Equal(d.synced, []string{"instance7", "worlds"}) {
		t.Errorf("the log that was closed is not, after a sync of %v", d.synced)
	}
	k = keep(t, folder, 16, on)
	if wants(t, d.has, 16); d.closed() {
		t.Error("a log is closed that has begun")
	}
	if got, want := files(t, d.has), []string{"map530-0000000016.log", "map530-0000000016.snapshot"}; !slices.Equal(got, want) {
		t.Errorf("the disk has %v, want %v", got, want)
	}
	k.run(17)
	if err := k.Close(); err != nil {
		t.Fatal(err)
	}
	d.synced = nil
	to, err := setAside(folder, Replaced, 530, d.sync)
	if err != nil {
		t.Fatal(err)
	}
	if wants(t, d.has, 0); !slices.Equal(d.synced, []string{"instance7.old", "instance7"}) {
		t.Errorf("%s is set aside with a sync of %v", to, d.synced)
	}
	wants(t, to, 17)
}

// What moves or ends a log fails if the disk does not have that of a folder.
func TestFolderIsNotSynced(t *testing.T) {
	broken := errors.New("broken")
	for bad, want := range map[string]string{
		"":              "map[]",
		"instance7":     "map[begins:broken closes:broken is moved back:broken is set aside:broken]",
		"instance7.old": "map[is set aside:broken]",
		"worlds":        "map[closes:broken is set aside as a folder:broken]",
		"worlds.old":    "map[is set aside as a folder:broken]",
	} {
		t.Run(bad, func(t *testing.T) {
			worlds := filepath.Join(t.TempDir(), "worlds")
			folder := InstanceFolder(worlds, 7)
			sync := func(folder string) error {
				if filepath.Base(folder) == bad {
					return broken
				}
				return nil
			}
			failed := make(map[string]error)
			note := func(step string, err error) {
				if err != nil {
					failed[step] = err
				}
			}
			k := keep(t, folder, 0, func(c *Config) { c.sync = sync })
			k.run(10, 15)
			note("closes", k.Close())
			again, err := Begin(k.config, 16)
			note("begins", err)
			note("is ended", again.close())
			to, err := setAside(folder, Replaced, 530, sync)
			note("is set aside", err)
			note("is moved back", put(to, folder, 530, sync))
			_, err = setInstanceAside(worlds, Replaced, 7, sync)
			note("is set aside as a folder", err)
			if got := fmt.Sprint(failed); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}

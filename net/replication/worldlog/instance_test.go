package worldlog

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Instances have folders of their own beside the files of maps, and are set aside and removed one by one.
func TestInstanceFolders(t *testing.T) {
	worlds := filepath.Join(t.TempDir(), "worlds")
	has := func(what, folder string, want ...uint32) {
		t.Helper()
		if got, err := Instances(folder); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: instances are %v, %v, want %v", what, got, err, want)
		}
	}
	has("no folder", worlds)
	for _, name := range []string{"instance12", "instance2", "instance0", "instance07", "instance3.part", "map3-0000000000.log"} {
		if err := os.MkdirAll(filepath.Join(worlds, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	has("made", worlds, 2, 12)
	if InstanceFolder(worlds, 0) != worlds || InstanceFolder(worlds, 12) != filepath.Join(worlds, "instance12") {
		t.Error("the folders have other names")
	}
	for range 2 { // the second time in place of the first
		if to, err := SetInstanceAside(worlds, Refused, 12); err != nil || to != filepath.Join(worlds+Refused, "instance12") {
			t.Errorf("set aside in %q, %v", to, err)
		}
		has("set aside", worlds, 2)
		has("what is set aside", worlds+Refused, 12)
		if err := os.MkdirAll(filepath.Join(worlds, "instance12", "other"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := RemoveInstance(worlds, 2); err != nil {
		t.Error(err)
	}
	has("one removed", worlds, 12)
	if err := RemoveInstances(worlds); err != nil {
		t.Error(err)
	}
	has("all removed", worlds)
	if _, err := os.Stat(filepath.Join(worlds, "instance3.part")); err != nil {
		t.Errorf("what is none is removed: %v", err)
	}
}

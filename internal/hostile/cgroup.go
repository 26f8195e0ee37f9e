//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// periodUs is how often a group gets its share anew, in microseconds: the kernel's own default.
const periodUs = 100_000

// A hierarchy is a place where groups of processes can be made that have a limited share of the processor.
type hierarchy struct {
	version int
	dir     string
}

// hierarchies are where they are usually mounted, or none if signals are wanted.
func hierarchies(signals bool) []hierarchy {
	if signals {
		return nil
	}
	return []hierarchy{{1, "/sys/fs/cgroup/cpu"}, {1, "/sys/fs/cgroup/cpu,cpuacct"}, {2, "/sys/fs/cgroup"}}
}

// A group has a limited share of the processor.
type group struct {
	hierarchy
	dir string
}

// newGroup makes a group with a share of all processors in the first hierarchy that allows it. The error is why none does.
func newGroup(all []hierarchy, percent int) (*group, error) {
	why := errors.New("no cgroups are wanted")
	for _, h := range all {
		g := &group{h, filepath.Join(h.dir, fmt.Sprint("hostile", os.Getpid()))}
		if err := g.make(percent); err != nil {
			why = err
			continue
		}
		return g, nil
	}
	return nil, why
}

func (g *group) make(percent int) error {
	quota := strconv.Itoa(periodUs * runtime.NumCPU() * percent / 100)
	if g.version == 2 {
		// It fails where it is so already, too: then the file below is there.
		os.WriteFile(filepath.Join(g.hierarchy.dir, "cgroup.subtree_control"), []byte("+cpu"), 0)
	}
	if _, err := os.Stat(filepath.Join(g.hierarchy.dir, "cgroup.procs")); err != nil {
		return err
	}
	if err := os.Mkdir(g.dir, 0o755); err != nil {
		return err
	}
	write := func(name, value string) error { return os.WriteFile(filepath.Join(g.dir, name), []byte(value), 0) }
	var err error
	if g.version == 2 {
		err = write("cpu.max", quota+" "+strconv.Itoa(periodUs))
	} else {
		err = errors.Join(write("cpu.cfs_period_us", strconv.Itoa(periodUs)), write("cpu.cfs_quota_us", quota))
	}
	if err != nil {
		return errors.Join(err, os.Remove(g.dir))
	}
	return nil
}

func (g *group) String() string { return fmt.Sprintf("cgroup version %d", g.version) }

// procs is the file to which a process writes that wants to be in the group.
func (g *group) procs() string { return filepath.Join(g.dir, "cgroup.procs") }

// remove ends the group when all that is in it has ended. What has not after ten seconds is killed.
func (g *group) remove() {
	for left := 1000; os.Remove(g.dir) != nil; left-- {
		if list, err := os.ReadFile(g.procs()); err != nil {
			return
		} else if left < 0 {
			for pid := range strings.FieldsSeq(string(list)) {
				if n, err := strconv.Atoi(pid); err == nil {
					syscall.Kill(n, syscall.SIGKILL)
				}
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
}

//go:build linux

// Package slowdisk has a disk be slow for one process, for tests: a control group of Linux lets it write so many times a second. What the process syncs waits for that, and
// so do reads that find nothing in memory; what it only writes is written later by the kernel, as ever.
package slowdisk

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// ErrCannot is returned where this process may not limit the disk, or there is none, as below tmpfs.
var ErrCannot = errors.New("slowdisk: the disk cannot be slow")

// A Group has a limit for the processes that are in it.
type Group struct {
	dir  string // of the group
	from string // of the processes: that of this one
}

// processes is the file with the processes that are in a group.
const processes = "cgroup.procs"

// hierarchies are where control groups are mounted that can limit a disk, the older version first.
var hierarchies = []struct{ dir, controller, file, limit string }{
	{"/sys/fs/cgroup/blkio", "blkio", "blkio.throttle.write_iops_device", "%s %d"},
	{"/sys/fs/cgroup", "", "io.max", "%s wiops=%d"},
}

// New makes a group that writes to the disk that a folder is on so many times a second. It returns ErrCannot if none can be made.
func New(folder string, writes int) (*Group, error) {
	disk, err := diskOf(folder)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCannot, err)
	}
	var failed []error
	for _, h := range hierarchies {
		g := &Group{dir: filepath.Join(h.dir, fmt.Sprint("slowdisk", os.Getpid()))}
		if g.from, err = groupOf(h.controller); err == nil {
			g.from = filepath.Join(h.dir, g.from)
			_, err = os.Stat(filepath.Join(g.from, processes))
		}
		if err == nil {
			if h.controller == "" { // it fails where it is so already, too
				write(h.dir, "cgroup.subtree_control", "+io")
			}
			os.Remove(g.dir) // of a process of that number that was killed
			err = os.Mkdir(g.dir, 0o755)
		}
		if err == nil {
			if err = write(g.dir, h.file, fmt.Sprintf(h.limit, disk, writes)); err == nil {
				return g, nil
			}
			os.Remove(g.dir)
		}
		failed = append(failed, err)
	}
	return nil, fmt.Errorf("%w: %w", ErrCannot, errors.Join(failed...))
}

// Slow has a process be in the group, until it ends or Release.
func (g *Group) Slow(pid int) error { return write(g.dir, processes, fmt.Sprint(pid)) }

// Release has a process be where this one is again.
func (g *Group) Release(pid int) error { return write(g.from, processes, fmt.Sprint(pid)) }

// Close removes the group, in which there may be no process any more.
func (g *Group) Close() error { return os.Remove(g.dir) }

// write writes to a file that the kernel has.
func write(dir, file, text string) error {
	f, err := os.OpenFile(filepath.Join(dir, file), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// groupOf is the group of this process, from the root of the hierarchy of a controller, or of version 2 without one.
//
// Source: cgroups(7), "/proc/pid/cgroup".
func groupOf(controller string) (string, error) {
	all, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(all)) {
		if part := strings.SplitN(strings.TrimSpace(line), ":", 3); len(part) == 3 && part[1] == controller {
			return part[2], nil
		}
	}
	return "", fmt.Errorf("there is no control group %q", controller)
}

// diskOf is the disk that a folder is on, as MAJOR:MINOR.
func diskOf(folder string) (string, error) {
	var stat syscall.Stat_t
	if err := syscall.Stat(folder, &stat); err != nil {
		return "", err
	}
	major, minor := stat.Dev>>8&0xfff|stat.Dev>>32&^0xfff, stat.Dev&0xff|stat.Dev>>12&^0xff // Source: makedev(3)
	path, err := filepath.EvalSymlinks(fmt.Sprintf("/sys/dev/block/%d:%d", major, minor))
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(filepath.Join(path, "partition")); err == nil {
		path = filepath.Dir(path)
	}
	disk, err := os.ReadFile(filepath.Join(path, "dev"))
	return strings.TrimSpace(string(disk)), err
}

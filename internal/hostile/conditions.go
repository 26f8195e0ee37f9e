//go:build linux

package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// Conditions are what a command is run under. Zero is this machine as it is.
type conditions struct {
	no           refusals
	files        uint64 // that a process may have open; 0 leaves it
	unprivileged bool   // as the user nobody, if this process is root
	percent      int    // of the time of all processors; 0 is all of it
	stop         bool   // have signals limit the processor even where there are cgroups
	spin         bool   // beside a process per processor that never sleeps
	join         string // the file that takes a process into the cgroup with the limit
}

func (c *conditions) define(set *flag.FlagSet) {
	set.Var(&c.no, "no", "what the kernel refuses, with commas between: "+strings.Join(names(), ", "))
	set.Uint64Var(&c.files, "files", 0, "files that a process may have open")
	set.BoolVar(&c.unprivileged, "unprivileged", false, "run as the user nobody, if this is root")
	set.IntVar(&c.percent, "cpu", 0, "share of the time of all processors, in per cent")
	set.BoolVar(&c.stop, "stop", false, "limit the processor by SIGSTOP and SIGCONT even where cgroups can do it")
	set.BoolVar(&c.spin, "spin", false, "run a process per processor that never sleeps, beside the command")
	set.StringVar(&c.join, "join", "", "of this program alone: the file that takes a process into a cgroup")
}

// flags are those of a process that becomes the command.
func (c *conditions) flags() (all []string) {
	if len(c.no) > 0 {
		all = append(all, "-no", c.no.String())
	}
	if c.files > 0 {
		all = append(all, "-files", strconv.FormatUint(c.files, 10))
	}
	if c.unprivileged {
		all = append(all, "-unprivileged")
	}
	if c.join != "" {
		all = append(all, "-join", c.join)
	}
	return all
}

// describe lists which conditions hold, without the limit of the processor.
func (c *conditions) describe() (said []string) {
	if len(c.no) > 0 {
		said = append(said, "no "+strings.ReplaceAll(c.no.String(), ",", ", "))
	}
	if c.files > 0 {
		said = append(said, fmt.Sprintf("%d open files", c.files))
	}
	if c.unprivileged {
		said = append(said, "as "+c.user())
	}
	if c.spin {
		said = append(said, fmt.Sprintf("beside %d processes that never sleep", runtime.NumCPU()))
	}
	return said
}

// unprivilegedUser is on every Linux.
const unprivilegedUser = "nobody"

// user describes as which user the command runs.
func (c *conditions) user() string {
	if os.Getuid() == 0 {
		return unprivilegedUser
	}
	return fmt.Sprint("user ", os.Getuid())
}

// become sets what a process sets for itself, and runs the command in its place. It returns only if that fails.
func (c *conditions) become(command []string) error {
	if c.join != "" {
		if err := os.WriteFile(c.join, []byte("0"), 0); err != nil { // 0 is the process that writes
			return err
		}
	}
	if c.files > 0 {
		if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: c.files, Max: c.files}); err != nil {
			return fmt.Errorf("limit of open files: %w", err)
		}
	}
	if c.unprivileged && os.Getuid() == 0 {
		if err := demote(); err != nil {
			return err
		}
	}
	// After the change of the user, which clears it: what is run does not outlive this program.
	if err := unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0); err != nil {
		return err
	}
	path, err := exec.LookPath(command[0])
	if err != nil {
		return err
	}
	if err := c.no.install(); err != nil {
		return err
	}
	return fmt.Errorf("%s: %w", path, syscall.Exec(path, command, os.Environ()))
}

// demote makes this process one of the user nobody, in no group but its own.
func demote() error {
	u, err := user.Lookup(unprivilegedUser)
	if err != nil {
		return err
	}
	uid, err := strconv.Atoi(u.Uid)
	if err != nil {
		return err
	}
	gid, err := strconv.Atoi(u.Gid)
	if err != nil {
		return err
	}
	if err := syscall.Setgroups(nil); err != nil {
		return err
	}
	if err := syscall.Setgid(gid); err != nil {
		return err
	}
	return syscall.Setuid(uid)
}

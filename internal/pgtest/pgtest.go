// Package pgtest gives tests, and programs that are for a look or measure, a PostgreSQL server of their own: in a temporary folder, on a Unix socket, from
// the server's binaries as they are installed. It ends with the process, however that ends, and nothing of it is left, but what Keep keeps.
package pgtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// A Cluster is a running server.
type Cluster struct {
	bin    string        // the folder of initdb and its kin
	dir    string        // has data, log and the socket
	kept   bool          // it stays
	wait   time.Duration // for another process that has it
	as     []string      // runs a command as the server's user
	keeper *exec.Cmd
	alive  io.Closer // the keeper's standard input
	more   string    // options of the caller
	made   atomic.Int32
}

// superuser is the user that connects. There is no password: only this user and root reach the socket.
const superuser = "muster"

// options make a server that is quick to start and never waits for a disk, unless it is asked to.
const options = "-c listen_addresses= -c fsync=off -c shared_buffers=16MB -c max_connections=100"

// keep waits until its standard input ends, as it does when the process that started it ends, and then stops
// the server of folder $2 by $1, and removes all, unless that is kept: $3.
const keep = `trap "" INT TERM HUP
cat >/dev/null
if [ "$3" = kept ]; then
	[ ! -e "$2/data/postmaster.pid" ] || exec "$1" -D "$2/data" -m fast stop >/dev/null 2>&1
	exit
fi
"$1" -D "$2/data" -m immediate stop >/dev/null 2>&1
rm -rf "$2"`

// Start makes a cluster and starts it, which takes some seconds. The error names what to install if there
// is no server to be found. The caller stops it. Settings such as fsync=on take the place of those that it has otherwise.
func Start(settings ...string) (*Cluster, error) {
	c := new(Cluster)
	for _, setting := range settings {
		c.more += " -c " + setting
	}
	var err error
	if c.dir, err = os.MkdirTemp("", "pgtest"); err != nil {
		return nil, fmt.Errorf("pgtest: %w", err)
	}
	if err := c.start(); err != nil {
		return nil, errors.Join(err, c.Stop(), os.RemoveAll(c.dir))
	}
	return c, nil
}

// Keep is Start for a server whose data stay, on disk, in a folder, in which it is found again. One process at a time has it.
func Keep(dir string) (*Cluster, error) { return keepIn(dir, lockTime) }

// lockTime is how long the keeper of a process that was killed may take to stop its server.
const lockTime = 10 * time.Second

// keepIn is Keep, which waits for so long if another process has the folder.
func keepIn(dir string, wait time.Duration) (*Cluster, error) {
	c := &Cluster{kept: true, wait: wait, more: " -c fsync=on"}
	var err error
	if c.dir, err = filepath.Abs(dir); err != nil {
		return nil, fmt.Errorf("pgtest: %w", err)
	}
	if err := c.start(); err != nil {
		return nil, errors.Join(err, c.Stop())
	}
	return c, nil
}

func (c *Cluster) start() error {
	if err := checkName(c.dir); err != nil {
		return err
	}
	version, err := os.ReadFile(filepath.Join(c.dir, "data", "PG_VERSION"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("pgtest: %w", err)
	}
	if c.bin, err = binaries(strings.TrimSpace(string(version))); err != nil {
		return err
	}
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return fmt.Errorf("pgtest: %w", err)
	}
	if os.Getuid() == 0 {
		if err := c.demote(); err != nil {
			return err
		}
	}
	if err := c.guard(); err != nil {
		return err
	}
	if err := c.initialize(); err != nil {
		return err
	}
	return c.Resume()
}

// maxSocket is how long the name of a socket can be. Source: sockaddr_un, unix(7).
const maxSocket = 107

// checkName refuses a folder that cannot have the socket, or whose name would be another one in the shell that pg_ctl calls, or in the server's list of folders.
func checkName(dir string) error {
	if over := len(dir) + len("/.s.PGSQL.5432") - maxSocket; over > 0 {
		return fmt.Errorf("pgtest: the name of %s is %d bytes too long for the socket in it", dir, over)
	}
	if strings.ContainsAny(dir, "'\"\\,$`\n") {
		return fmt.Errorf("pgtest: the name of folder %q has one of ' \" \\ , $ ` or a line break", dir)
	}
	return nil
}

// initialize makes the data that a server begins with, if there are none.
func (c *Cluster) initialize() error {
	data := filepath.Join(c.dir, "data")
	if _, err := os.Stat(data); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	half := data + ".new" // until all is there
	if err := os.RemoveAll(half); err != nil {
		return err
	}
	args := []string{"-D", half, "-U", superuser, "-A", "trust", "-E", "UTF8", "--no-locale", "--no-instructions"}
	if !c.kept {
		args = append(args, "--no-sync")
	}
	if err := c.run("initdb", args...); err != nil {
		return err
	}
	return os.Rename(half, data)
}

// demote runs commands as a user that is not root: the server refuses to be.
func (c *Cluster) demote() error {
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err := strconv.Atoi(u.Uid)
		if err != nil {
			return fmt.Errorf("pgtest: user %s: %w", name, err)
		}
		gid, err := strconv.Atoi(u.Gid)
		if err != nil {
			return fmt.Errorf("pgtest: user %s: %w", name, err)
		}
		c.as = []string{"setpriv", "--reuid=" + u.Uid, "--regid=" + u.Gid, "--clear-groups"}
		if err := os.Lchown(c.dir, uid, gid); err != nil {
			return err
		}
		// Not test -x: that asks access(2), for which the kernel takes capabilities away from who is not root.
		if c.command("ls", c.dir).Run() == nil {
			return nil
		}
		// It is in one of root's, as its home folder. Containers, for one, do not have the capability.
		c.as = append(c.as, "--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search")
		if err := c.command("ls", c.dir).Run(); err != nil {
			return fmt.Errorf("pgtest: user %s cannot reach %s, as it may not enter a folder above: name another with --data, or with TMPDIR if nothing is kept: %w", name, c.dir, err)
		}
		return nil
	}
	return errors.New("pgtest: there is no user postgres or nobody to run a server as")
}

// guard starts the keeper. It is there before the server is, and has the lock of a folder that is kept for as long as it runs.
func (c *Cluster) guard() error {
	what := "temporary"
	var locks []*os.File
	if c.kept {
		what = "kept"
		lock, err := c.lock()
		if err != nil {
			return err
		}
		defer lock.Close()
		locks = append(locks, lock)
	}
	c.keeper = c.command("sh", "-c", keep, "keeper", filepath.Join(c.bin, "pg_ctl"), c.dir, what)
	c.keeper.ExtraFiles = locks
	in, err := c.keeper.StdinPipe()
	if err != nil {
		return err
	}
	if err := c.keeper.Start(); err != nil {
		c.keeper = nil
		return fmt.Errorf("pgtest: %w", err)
	}
	c.alive = in
	return nil
}

// lock locks the folder.
func (c *Cluster) lock() (*os.File, error) {
	lock, err := os.OpenFile(filepath.Join(c.dir, "lock"), os.O_CREATE|os.O_RDWR|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, fmt.Errorf("pgtest: %w", err)
	}
	for began := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		if err = syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err == nil {
			return lock, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) || time.Since(began) > c.wait {
			return nil, errors.Join(fmt.Errorf("pgtest: another process has the server of %s: %w", c.dir, err), lock.Close())
		}
	}
}

// Stop ends the server and removes its folder, unless that is kept.
func (c *Cluster) Stop() error {
	if c.keeper == nil {
		return nil
	}
	c.alive.Close()
	err := c.keeper.Wait()
	c.keeper = nil
	return err
}

// Halt ends the server as a crash would. What was committed is there after Resume.
func (c *Cluster) Halt() error {
	return c.run("pg_ctl", "-D", filepath.Join(c.dir, "data"), "-m", "immediate", "-w", "stop")
}

// Resume starts a server that was halted, and returns when it answers. The log of the start before is log.old.
func (c *Cluster) Resume() error {
	log := filepath.Join(c.dir, "log")
	if err := os.Rename(log, log+".old"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("pgtest: %w", err)
	}
	return c.run("pg_ctl", "-D", filepath.Join(c.dir, "data"), "-l", log, "-w", "-s",
		"-o", options+c.more+" -k '"+c.dir+"'", "start")
}

// PID is the process of the server that starts all others of it.
func (c *Cluster) PID() (int, error) {
	text, err := os.ReadFile(filepath.Join(c.dir, "data", "postmaster.pid"))
	if err != nil {
		return 0, fmt.Errorf("pgtest: %w", err)
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return strconv.Atoi(line)
}

// Database makes an empty database and returns a URL to connect with.
func (c *Cluster) Database(ctx context.Context) (string, error) {
	name := "test" + strconv.Itoa(int(c.made.Add(1)))
	err := c.run("psql", "-h", c.dir, "-U", superuser, "-d", "postgres", "-qc", "CREATE DATABASE "+name)
	if err != nil {
		return "", err
	}
	return c.url(name), nil
}

// Kept is a URL to connect with to the database that a server has from the beginning.
func (c *Cluster) Kept() string { return c.url("postgres") }

func (c *Cluster) url(database string) string {
	query := url.Values{"host": {c.dir}, "user": {superuser}}
	return "postgres:///" + database + "?" + query.Encode()
}

// Do runs statements as the superuser in a database that Database has made.
func (c *Cluster) Do(url, statements string) error {
	return c.run("psql", "-v", "ON_ERROR_STOP=1", "-qc", statements, url)
}

// maxLog is how much of the end of the server's log an error has, in bytes.
const maxLog = 8 << 10

// run runs a program of PostgreSQL's. The error has its output, and the end of the log.
func (c *Cluster) run(program string, args ...string) error {
	cmd := c.command(filepath.Join(c.bin, program), args...)
	// A file and not a pipe: the server inherits it, and a pipe would be read until the server ends.
	said, err := os.CreateTemp("", "pgtest")
	if err != nil {
		return err
	}
	defer os.Remove(said.Name())
	defer said.Close()
	cmd.Stdout, cmd.Stderr = said, said
	if err := cmd.Run(); err != nil {
		text, _ := os.ReadFile(said.Name())
		log, _ := os.ReadFile(filepath.Join(c.dir, "log"))
		return fmt.Errorf("pgtest: %s: %w\n%s", program, err, bytes.TrimSpace(append(text, log[max(0, len(log)-maxLog):]...)))
	}
	return nil
}

func (c *Cluster) command(program string, args ...string) *exec.Cmd {
	all := append(append(c.as[:len(c.as):len(c.as)], program), args...)
	cmd := exec.Command(all[0], all[1:]...)
	cmd.Dir = c.dir
	return cmd
}

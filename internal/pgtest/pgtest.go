// Package pgtest gives tests, and programs that are for a look or measure, a PostgreSQL server of their own: in a temporary folder, on a Unix socket, from
// the server's binaries as they are installed. Nothing of it is left when the process ends, however it ends.
package pgtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
)

// A Cluster is a running server.
type Cluster struct {
	bin    string   // the folder of initdb and its kin
	dir    string   // has data, log and the socket
	as     []string // runs a command as the server's user
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
// the server $1 of folder $2 and removes all.
const keep = `trap "" INT TERM HUP
cat >/dev/null
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
	if c.bin, err = binaries(); err != nil {
		return nil, err
	}
	if c.dir, err = os.MkdirTemp("", "pgtest"); err != nil {
		return nil, fmt.Errorf("pgtest: %w", err)
	}
	if err := c.start(); err != nil {
		return nil, errors.Join(err, c.Stop(), os.RemoveAll(c.dir))
	}
	return c, nil
}

func (c *Cluster) start() error {
	if os.Getuid() == 0 {
		if err := c.demote(); err != nil {
			return err
		}
	}
	if err := c.guard(); err != nil {
		return err
	}
	err := c.run("initdb", "-D", filepath.Join(c.dir, "data"), "-U", superuser, "-A", "trust", "-E", "UTF8",
		"--no-locale", "--no-sync", "--no-instructions")
	if err != nil {
		return err
	}
	return c.Resume()
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
		return os.Chown(c.dir, uid, gid)
	}
	return errors.New("pgtest: there is no user postgres or nobody to run a server as")
}

// guard starts the keeper. It is there before the server is.
func (c *Cluster) guard() error {
	c.keeper = c.command("sh", "-c", keep, "keeper", filepath.Join(c.bin, "pg_ctl"), c.dir)
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

// Stop ends the server and removes its folder.
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

// Resume starts a server that was halted, and returns when it answers.
func (c *Cluster) Resume() error {
	return c.run("pg_ctl", "-D", filepath.Join(c.dir, "data"), "-l", filepath.Join(c.dir, "log"), "-w", "-s",
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
	query := url.Values{"host": {c.dir}, "user": {superuser}}
	return "postgres:///" + name + "?" + query.Encode(), nil
}

// Do runs statements as the superuser in a database that Database has made.
func (c *Cluster) Do(url, statements string) error {
	return c.run("psql", "-v", "ON_ERROR_STOP=1", "-qc", statements, url)
}

// run runs a program of PostgreSQL's. The error has its output.
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
		return fmt.Errorf("pgtest: %s: %w\n%s", program, err, bytes.TrimSpace(append(text, log...)))
	}
	return nil
}

func (c *Cluster) command(program string, args ...string) *exec.Cmd {
	all := append(append(c.as[:len(c.as):len(c.as)], program), args...)
	cmd := exec.Command(all[0], all[1:]...)
	cmd.Dir = c.dir
	return cmd
}

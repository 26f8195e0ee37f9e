package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"muster/bench/swarm"
)

// A mariadb is a MariaDB server of our own in a temporary folder, on a Unix socket.
type mariadb struct {
	dir    string
	server *exec.Cmd
	client string // the program
}

// mariadbOptions have it wait for no disk, and give it memory for all that is imported.
var mariadbOptions = []string{
	"--skip-networking", "--skip-log-bin", "--innodb-flush-log-at-trx-commit=0", "--innodb-buffer-pool-size=512M", "--innodb-log-file-size=256M",
	"--max-allowed-packet=64M",
}

// mariadbStart is how long the server may take until it answers.
const mariadbStart = 2 * time.Minute

// startMariaDB makes a server and waits until it answers. The error names what to install if there is none.
func startMariaDB(ctx context.Context) (m *mariadb, err error) {
	var programs [3]string
	for i, name := range []string{"mariadb-install-db", "mariadbd", "mariadb"} {
		if programs[i], err = exec.LookPath(name); err == nil {
			continue
		}
		if programs[i], err = exec.LookPath(filepath.Join("/usr/sbin", name)); err != nil { // in no PATH but root's
			return nil, errors.New("there is no MariaDB to compare with: apt-get install mariadb-server")
		}
	}
	m = &mariadb{client: programs[2]}
	if m.dir, err = os.MkdirTemp("", "muster-mariadb"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, m.stop())
		}
	}()
	data := filepath.Join(m.dir, "data")
	var as []string // it refuses to be root unless it is told to
	if os.Geteuid() == 0 {
		as = []string{"--user=root"}
	}
	made := exec.CommandContext(ctx, programs[0], append([]string{"--no-defaults", "--datadir=" + data, "--auth-root-authentication-method=normal", "--skip-test-db"}, as...)...)
	if said, err := made.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("mariadb-install-db: %w\n%s", err, said)
	}
	m.server = exec.Command(programs[1], append(append([]string{"--no-defaults", "--datadir=" + data, "--socket=" + m.socket(), "--pid-file=" + filepath.Join(m.dir, "pid")},
		mariadbOptions...), as...)...)
	if err := m.server.Start(); err != nil {
		m.server = nil
		return nil, err
	}
	deadline, cancel := context.WithTimeout(ctx, mariadbStart)
	defer cancel()
	for {
		c, err := new(net.Dialer).DialContext(deadline, "unix", m.socket())
		if err == nil {
			return m, c.Close()
		}
		if err := sleep(deadline, 50*time.Millisecond); err != nil {
			return nil, fmt.Errorf("mariadbd does not answer: %w", err)
		}
	}
}

func (m *mariadb) socket() string { return filepath.Join(m.dir, "socket") }

// stop ends the server and removes its folder.
func (m *mariadb) stop() (err error) {
	if m.server != nil {
		err = errors.Join(m.server.Process.Signal(syscall.SIGTERM), m.server.Wait())
	}
	return errors.Join(err, os.RemoveAll(m.dir))
}

// execute gives the client statements, and returns what processor time it and the server take for them.
func (m *mariadb) execute(ctx context.Context, statements io.Reader, database ...string) (time.Duration, error) {
	before, err := swarm.ProcessorTime(m.server.Process.Pid)
	if err != nil {
		return 0, err
	}
	c := exec.CommandContext(ctx, m.client, append([]string{"--no-defaults", "--user=root", "--socket=" + m.socket(), "--max-allowed-packet=64M"}, database...)...)
	c.Stdin = statements
	if said, err := c.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("mariadb: %w\n%s", err, said)
	}
	after, err := swarm.ProcessorTime(m.server.Process.Pid)
	return after - before + c.ProcessState.UserTime() + c.ProcessState.SystemTime(), err
}

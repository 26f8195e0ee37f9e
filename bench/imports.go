package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"muster/internal/pgtest"
	"muster/loaders/worlddb/invented"
)

// What an import is asked for: against MariaDB, of a core into each database, and of memory.
const (
	importTimes     = 3
	importSQLite    = 60  // MB of SQL in a second of processor time
	importPostgres  = 40  // likewise
	importMegabytes = 300 // of memory
)

// imports measures how long a dump takes into a database of muster's, and into MariaDB, which such dumps are made for.
func imports(ctx context.Context, c *Config, s *sheet) (text string, repetitions int, err error) {
	size, repetitions := invented.World().Times(3), 5
	if c.Quick {
		size, repetitions = quickWorld(), 1
	}
	dir, err := os.MkdirTemp("", "muster-bench")
	if err != nil {
		return "", 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	dump := filepath.Join(dir, "dump.sql")
	megabytes, err := writeDump(dump, size)
	if err != nil {
		return "", 0, err
	}
	postgres, err := pgtest.Start()
	if err != nil {
		return "", 0, err
	}
	defer func() { err = errors.Join(err, postgres.Stop()) }()
	maria, err := startMariaDB(ctx)
	if err != nil {
		return "", 0, err
	}
	defer func() { err = errors.Join(err, maria.stop()) }()
	for i := range repetitions {
		ours, err := importDump(ctx, c.Muster, dump, "--data", filepath.Join(dir, strconv.Itoa(i)))
		if err != nil {
			return "", 0, err
		}
		theirs, err := maria.imports(ctx, dump)
		if err != nil {
			return "", 0, err
		}
		url, err := postgres.Database(ctx)
		if err != nil {
			return "", 0, err
		}
		copied, err := importDump(ctx, c.Muster, dump, "--into", url)
		if err != nil {
			return "", 0, err
		}
		s.put("into SQLite, processor time of a MB", "ms", ours.processor/megabytes).
			beside("mariadb < dump, client and server", theirs.processor/megabytes).times(importTimes, 2*importTimes)
		s.put("into SQLite, time", "ms", ours.took).beside("mariadb < dump, time", theirs.took).times(importTimes, 2*importTimes)
		s.put("into SQLite, of a core", "MB/s", 1e3*megabytes/ours.processor).atLeast(importSQLite, OfMedian)
		s.put("into SQLite, memory at most", "MB", ours.memory).gate(importMegabytes, OfMedian)
		s.put("into PostgreSQL, of a core, without the server's part", "MB/s", 1e3*megabytes/copied.processor).atLeast(importPostgres, OfMedian)
		s.put("into PostgreSQL, time", "ms", copied.took).beside("mariadb < dump, time", theirs.took).times(1, importTimes)
		s.put("into PostgreSQL, memory at most", "MB", copied.memory).gate(importMegabytes, OfMedian)
		if err := os.RemoveAll(filepath.Join(dir, strconv.Itoa(i))); err != nil {
			return "", 0, err
		}
	}
	return fmt.Sprintf("`muster world import` reads an invented dump of %.0f MB of SQL, in the shape of AzerothCore's: rows by key, %s of them spawn points of creatures, tables of two to a hundred "+
		"columns, some of them not kept. `mariadb` reads the same one into a MariaDB server (Debian's mariadb-server) that flushes nothing and has memory for all of it (`%s`), in turn. Its "+
		"processor time is that of client and server. Into PostgreSQL, muster's process alone is counted. Memory is the most that the process had resident. Without MariaDB or PostgreSQL "+
		"this scenario fails, and says what to install.", megabytes, number(float64(size.Creatures)), strings.Join(mariadbOptions, " ")), repetitions, nil
}

// quickWorld is a hundredth of a world.
func quickWorld() invented.Config {
	return invented.Config{Seed: 1, Creatures: 1_500, GameObjects: 800, Scripts: 600, Nodes: 1_600, Items: 390, Quests: 95, Loot: 900, Locales: 600}
}

// writeDump writes an invented dump, and returns how many MB it has.
func writeDump(path string, size invented.Config) (megabytes float64, err error) {
	f, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	if err := errors.Join(invented.Write(f, size), f.Close()); err != nil {
		return 0, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	return float64(info.Size()) / 1e6, nil
}

// A cost is what a program took: ms, ms, and MB.
type cost struct{ took, processor, memory float64 }

// importDump imports a dump, all of it.
func importDump(ctx context.Context, muster, dump string, to ...string) (cost, error) {
	cmd := exec.CommandContext(ctx, muster, append([]string{"world", "import", dump, "--strict"}, to...)...)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return cost{}, err
	}
	ended, memory := make(chan struct{}), make(chan float64)
	go func() { memory <- peakMemory(cmd.Process.Pid, ended) }()
	err := cmd.Wait()
	took := time.Since(began)
	close(ended)
	c := cost{took: took.Seconds() * 1e3, memory: <-memory}
	if err != nil {
		return cost{}, fmt.Errorf("world import: %w\n%s", err, &said)
	}
	c.processor = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds() * 1e3
	return c, nil
}

// memoryPause is how long it is between two looks at the memory of a process, whose peak the kernel keeps.
const memoryPause = 10 * time.Millisecond

// peakMemory is the most memory that a process has had resident, in MB, when it was looked at last before it ended; 0 if it was never seen.
func peakMemory(pid int, ended <-chan struct{}) (megabytes float64) {
	ticker := time.NewTicker(memoryPause)
	defer ticker.Stop()
	for {
		if now := residentPeak(pid); now > 0 {
			megabytes = now
		}
		select {
		case <-ended:
			return megabytes
		case <-ticker.C:
		}
	}
}

// residentPeak is VmHWM of a process, in MB.
//
// Source: proc_pid_status(5).
func residentPeak(pid int) (megabytes float64) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, behind, _ := strings.Cut(string(status), "VmHWM:")
	if fields := strings.Fields(behind); len(fields) > 0 {
		kilobytes, err := strconv.ParseFloat(fields[0], 64)
		if err == nil {
			return kilobytes * 1024 / 1e6
		}
	}
	return 0
}

// imports imports a dump.
func (m *mariadb) imports(ctx context.Context, dump string) (c cost, err error) {
	if _, err := m.execute(ctx, strings.NewReader("DROP DATABASE IF EXISTS world; CREATE DATABASE world CHARACTER SET utf8mb4;")); err != nil {
		return cost{}, err
	}
	f, err := os.Open(dump)
	if err != nil {
		return cost{}, err
	}
	defer f.Close()
	began := time.Now()
	processor, err := m.execute(ctx, f, "world")
	return cost{took: time.Since(began).Seconds() * 1e3, processor: processor.Seconds() * 1e3}, err
}

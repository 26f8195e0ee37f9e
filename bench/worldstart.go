package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"muster/loaders/worlddb/invented"
)

// What the start of an imported world is asked for.
const (
	startSeconds   = 2
	startMegabytes = 400
)

// worldStarts measures how long a server takes until it serves an imported world of full size, and what that world costs while no player is in it.
func worldStarts(ctx context.Context, c *Config, s *sheet) (text string, repetitions int, err error) {
	size, window, repetitions := invented.World(), 5*time.Second, 5
	if c.Quick {
		size, window, repetitions = quickWorld(), time.Second, 1
	}
	dir, err := os.MkdirTemp("", "muster-bench")
	if err != nil {
		return "", 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	dump := filepath.Join(dir, "dump.sql")
	if _, err := writeDump(dump, size); err != nil {
		return "", 0, err
	}
	if _, err := importDump(ctx, c.Muster, dump, "--data", dir); err != nil {
		return "", 0, err
	}
	for range repetitions {
		took, processor, memory, idle, err := startWorld(ctx, c.Muster, dir, window)
		if err != nil {
			return "", 0, err
		}
		s.put("start, time", "s", took).atMost(startSeconds, OfMedian)
		s.put("start, processor time", "s", processor)
		s.put("memory at most", "MB", memory).atMost(startMegabytes, OfMedian)
		s.put("without players, processor", "% of a core", 100*idle).atMost(1, OfMedian)
	}
	return fmt.Sprintf("`muster serve --world-db` of an invented world of %s spawn points of creatures, %s of game objects and %s rows of scripts, on four maps: from the start of the process until it says that it is ready, "+
		"the most memory that it had resident by then and %v later, and the processor time of those %v.", number(float64(size.Creatures)), number(float64(size.GameObjects)), number(float64(size.Scripts)), window, window), repetitions, nil
}

// startWorld serves an imported world for a while.
func startWorld(ctx context.Context, muster, world string, window time.Duration) (took, processor, memory, idle float64, err error) {
	began := time.Now()
	server, _, err := start(ctx, muster, serveReady, "serve", "--ephemeral", "--world-db", world, "--auth", "127.0.0.1:0", "--world", "127.0.0.1:0", "--admin", "127.0.0.1:0")
	if err != nil {
		return 0, 0, 0, 0, err
	}
	took = time.Since(began).Seconds()
	defer func() { err = errors.Join(err, server.stop()) }()
	spent, err := server.cpu()
	if err == nil {
		err = sleep(ctx, time.Second)
	}
	before, err2 := server.cpu()
	from := time.Now()
	if err := errors.Join(err, err2, sleep(ctx, window)); err != nil {
		return 0, 0, 0, 0, err
	}
	after, err := server.cpu()
	return took, spent.Seconds(), residentPeak(server.cmd.Process.Pid), float64(after-before) / float64(time.Since(from)), err
}

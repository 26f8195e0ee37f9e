package bench

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// idle measures the processor time of a server without players.
func idle(ctx context.Context, c *Config, s *sheet) (text string, repetitions int, err error) {
	window, repetitions := 10*time.Second, 5
	if c.Quick {
		window, repetitions = 2*time.Second, 2
	}
	for range repetitions {
		share, err := idleShare(ctx, c.Muster, window)
		if err != nil {
			return "", 0, err
		}
		s.put("processor", "% of a core", 100*share).atMost(1, OfMedian)
	}
	return fmt.Sprintf("A server with its default world, all of its monitoring on, and no players: the processor time of its process, "+
		"user and system, over %v that begin a second after it is ready.", window), repetitions, nil
}

// idleShare is what part of a core a server takes in a while.
func idleShare(ctx context.Context, muster string, window time.Duration) (share float64, err error) {
	server, _, err := start(ctx, muster, serveReady, "serve", "--ephemeral", "--auth", "127.0.0.1:0", "--world", "127.0.0.1:0",
		"--admin", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, server.stop()) }()
	if err := sleep(ctx, time.Second); err != nil {
		return 0, err
	}
	began := time.Now()
	before, err := server.cpu()
	if err != nil {
		return 0, err
	}
	if err := sleep(ctx, window); err != nil {
		return 0, err
	}
	after, err := server.cpu()
	return float64(after-before) / float64(time.Since(began)), err
}

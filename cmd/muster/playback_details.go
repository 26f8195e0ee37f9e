package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"muster/net/replication/recording"
)

// printSums prints the parts of a world in a line, and then for each tick its number and their hashes: another
// muster compares its own with them.
func printSums(ctx context.Context, p *playback, to io.Writer) error {
	w := bufio.NewWriterSize(to, 1<<16)
	fmt.Fprintln(w, strings.Join(p.world.Parts(), "\t"))
	for {
		switch err := p.next(ctx); {
		case err == io.EOF || errors.Is(err, recording.ErrTorn):
			return w.Flush()
		case err != nil:
			return errors.Join(err, w.Flush())
		case p.record.Inbox == nil:
			continue
		}
		fmt.Fprint(w, p.tick)
		for _, sum := range p.world.Sums() {
			fmt.Fprintf(w, "\t%x", sum)
		}
		if _, err := fmt.Fprintln(w); err != nil {
			return nil // the reader has closed the pipe
		}
	}
}

// A detail is what one hash of a world is about.
type detail struct {
	part string
	guid uint64
}

// details are all hashes of a world as it is now.
func (p *playback) details() map[detail]uint64 {
	all := make(map[detail]uint64)
	p.world.Hashes(func(part string, guid, hash uint64) { all[detail{part, guid}] += hash })
	return all
}

// printDetail prints every hash of the world after a tick. It fails if the recording has no such tick.
func printDetail(ctx context.Context, p *playback, tick uint64, to io.Writer) error {
	last := p.tick
	for p.tick < tick {
		last = p.tick
		switch err := p.next(ctx); {
		case errors.Is(err, recording.ErrTorn):
			return fmt.Errorf("there is no tick %d, the last is tick %d: %w", tick, last, err)
		case err == io.EOF:
			return fmt.Errorf("there is no tick %d, the last is tick %d", tick, last)
		case err != nil:
			return err
		}
	}
	if p.tick != tick {
		return fmt.Errorf("there is no tick %d: after tick %d comes tick %d", tick, last, p.tick)
	}
	w := bufio.NewWriter(to)
	for d, hash := range p.details() {
		fmt.Fprintf(w, "%s\t%d\t%x\n", d.part, d.guid, hash)
	}
	return w.Flush()
}

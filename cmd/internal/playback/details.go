package playback

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"muster/net/replication/recording"
)

// PrintSums prints the parts of a world in a line, and then for each tick its number and their hashes: another
// muster compares its own with them.
func PrintSums(ctx context.Context, p *Playback, to io.Writer) error {
	w := bufio.NewWriterSize(to, 1<<16)
	fmt.Fprintln(w, strings.Join(p.World.Parts(), "\t"))
	for {
		switch err := p.Next(ctx); {
		case err == io.EOF || errors.Is(err, recording.ErrTorn):
			return w.Flush()
		case err != nil:
			return errors.Join(err, w.Flush())
		case p.Record.Inbox == nil:
			continue
		}
		fmt.Fprint(w, p.Tick)
		for _, sum := range p.World.Sums() {
			fmt.Fprintf(w, "\t%x", sum)
		}
		if _, err := fmt.Fprintln(w); err != nil {
			return nil // the reader has closed the pipe
		}
	}
}

// A Detail is what one hash of a world is about.
type Detail struct {
	Part string
	GUID uint64
}

// Details are all hashes of a world as it is now.
func (p *Playback) Details() map[Detail]uint64 {
	all := make(map[Detail]uint64)
	p.World.Hashes(func(part string, guid, hash uint64) { all[Detail{part, guid}] += hash })
	return all
}

// PrintDetail prints every hash of the world after a tick. It fails if the recording has no such tick.
func PrintDetail(ctx context.Context, p *Playback, tick uint64, to io.Writer) error {
	last := p.Tick
	for p.Tick < tick {
		last = p.Tick
		switch err := p.Next(ctx); {
		case errors.Is(err, recording.ErrTorn):
			return fmt.Errorf("there is no tick %d, the last is tick %d: %w", tick, last, err)
		case err == io.EOF:
			return fmt.Errorf("there is no tick %d, the last is tick %d", tick, last)
		case err != nil:
			return err
		}
	}
	if p.Tick != tick {
		return fmt.Errorf("there is no tick %d: after tick %d comes tick %d", tick, last, p.Tick)
	}
	w := bufio.NewWriter(to)
	for d, hash := range p.Details() {
		fmt.Fprintf(w, "%s\t%d\t%x\n", d.Part, d.GUID, hash)
	}
	return w.Flush()
}

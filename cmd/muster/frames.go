package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"

	"muster/net/replication/recording"
)

// printFrames runs a recording to its end and prints a hash of the bytes of all of its frames, and how many they are.
func printFrames(ctx context.Context, p *playback, w io.Writer) error {
	hash, size, last := sha256.New(), 0, uint64(0)
	var frame []byte
	for {
		err := p.next(ctx)
		if err == io.EOF || errors.Is(err, recording.ErrTorn) {
			break
		}
		if err != nil {
			return err
		}
		if p.tick == last {
			continue
		}
		last = p.tick
		if frame, err = p.frame.AppendBinary(frame[:0]); err != nil {
			return err
		}
		hash.Write(frame)
		size += len(frame)
	}
	_, err := fmt.Fprintf(w, "map %d: %d frames of %d bytes, sha256 %x\n", p.log.Header.Map, p.ticks, size, hash.Sum(nil))
	return err
}

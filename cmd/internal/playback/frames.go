package playback

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"

	"muster/net/replication/recording"
)

// PrintFrames runs a recording to its end and prints a hash of the bytes of all of its frames, and how many they are.
func PrintFrames(ctx context.Context, p *Playback, w io.Writer) error {
	hash, size, last := sha256.New(), 0, uint64(0)
	var frame []byte
	for {
		err := p.Next(ctx)
		if err == io.EOF || errors.Is(err, recording.ErrTorn) {
			break
		}
		if err != nil {
			return err
		}
		if p.Tick == last {
			continue
		}
		last = p.Tick
		if frame, err = p.frame.AppendBinary(frame[:0]); err != nil {
			return err
		}
		hash.Write(frame)
		size += len(frame)
	}
	_, err := fmt.Fprintf(w, "%s: %d frames of %d bytes, sha256 %x\n", p.Name, p.Ticks, size, hash.Sum(nil))
	return err
}

package replay

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"muster/cmd/internal/flags"
	"muster/cmd/internal/playback"
	"muster/net/replication/recording"
)

// bisect runs a recording, or the log of a world, beside another muster that is given the same, and fails at the first tick after which their
// worlds differ.
func (v *Config) bisect(ctx context.Context, p *playback.Playback, given []string, env *flags.Environment) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // the other one, too
	began := time.Now()
	other := v.other(ctx, given, "--until", fmt.Sprint(v.Until), "--sums")
	other.Stderr = env.Stderr
	pipe, err := other.StdoutPipe()
	if err != nil {
		return err
	}
	if err := other.Start(); err != nil {
		return err
	}
	lines := bufio.NewReaderSize(pipe, 1<<20)
	if err = v.follow(ctx, p, given, lines, env); err != nil {
		cancel()
		other.Wait() // it was ended
		return err
	}
	if err := other.Wait(); err != nil {
		return fmt.Errorf("%s: %w", v.Bisect, err)
	}
	_, err = fmt.Fprintf(env.Stdout, "%s: after none of %d ticks, %d to %d, do the worlds differ, which took %v\n",
		p.Name, p.Ticks, p.First, p.Tick, time.Since(began).Round(time.Millisecond))
	return err
}

// recorded are the arguments with which another muster runs a recording from the same tick on.
func (v *Config) recorded(place uint32) []string {
	given := []string{v.Dir, "--map", fmt.Sprint(place)}
	if v.From > 0 { // which an older one does not have
		given = append(given, "--from", fmt.Sprint(v.From))
	}
	return given
}

// other is the other muster, about to run the same.
func (v *Config) other(ctx context.Context, given []string, args ...string) *exec.Cmd {
	args = slices.Concat([]string{"replay"}, given, args)
	if v.WorldDB != "" {
		args = append(args, "--world-db", v.WorldDB)
	}
	if v.DBC != "" {
		args = append(args, "--dbc", v.DBC)
	}
	return exec.CommandContext(ctx, v.Bisect, args...)
}

// follow runs the ticks, and reads of each what the other muster has made of it.
func (v *Config) follow(ctx context.Context, p *playback.Playback, given []string, lines *bufio.Reader, env *flags.Environment) error {
	parts, err := fields(lines)
	if err != nil {
		return fmt.Errorf("%s: %w", v.Bisect, err)
	}
	places := make([]int, len(p.World.Parts())) // of our parts among the other's, -1 for none
	for i, part := range p.World.Parts() {
		if places[i] = slices.Index(parts, part); places[i] < 0 {
			fmt.Fprintf(env.Stderr, "the other has no %s\n", part)
		}
	}
	for _, part := range parts {
		if !slices.Contains(p.World.Parts(), part) {
			fmt.Fprintf(env.Stderr, "only the other has %s\n", part)
		}
	}
	for {
		err := p.Next(ctx)
		if err == io.EOF || errors.Is(err, recording.ErrTorn) {
			return nil
		}
		if err != nil {
			return err
		}
		if p.Record.Inbox == nil {
			continue
		}
		line, err := fields(lines)
		if err != nil || len(line) != len(parts)+1 || line[0] != fmt.Sprint(p.Tick) {
			return fmt.Errorf("%s does not say what tick %d made of the world: %q, %v", v.Bisect, p.Tick, line, err)
		}
		var differ []string
		for i, sum := range p.World.Sums() {
			if at := places[i]; at >= 0 && line[1+at] != strconv.FormatUint(sum, 16) {
				differ = append(differ, p.World.Parts()[i])
			}
		}
		if differ != nil {
			return v.explain(ctx, p, given, differ)
		}
	}
}

func fields(lines *bufio.Reader) ([]string, error) {
	line, err := lines.ReadString('\n')
	if err != nil {
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(line, "\n"), "\t"), nil
}

// explain lists the entities and the parts in which the worlds differ.
func (v *Config) explain(ctx context.Context, p *playback.Playback, given, parts []string) error {
	other := v.other(ctx, given, "--detail", fmt.Sprint(p.Tick))
	text, err := other.Output()
	if err != nil {
		return fmt.Errorf("after tick %d worlds differ in %s; %s does not say in whose: %w", p.Tick, playback.Some(parts), v.Bisect, err)
	}
	ours := p.Details()
	var differ []playback.Detail
	for line := range strings.Lines(string(text)) {
		words := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(words) != 3 {
			return fmt.Errorf("%s: %q is not the hash of anything", v.Bisect, line)
		}
		guid, err := strconv.ParseUint(words[1], 10, 64)
		if err != nil {
			return fmt.Errorf("%s: %w", v.Bisect, err)
		}
		d := playback.Detail{Part: words[0], GUID: guid}
		if hash, ok := ours[d]; !ok || strconv.FormatUint(hash, 16) != words[2] {
			differ = append(differ, d)
		}
		delete(ours, d)
	}
	for d := range ours { // which the other world does not have
		differ = append(differ, d)
	}
	var lines []string
	for _, d := range differ {
		if slices.Contains(parts, d.Part) {
			lines = append(lines, d.Part+" of "+playback.WhoseGUID(d.GUID))
		}
	}
	slices.Sort(lines)
	return fmt.Errorf("after tick %d, and no earlier, the worlds differ: %s", p.Tick, playback.Some(lines))
}

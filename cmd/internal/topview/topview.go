// Package topview shows how the worlds and the players of a running server do, again and again.
package topview

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"muster/cmd/internal/adminclient"
	"muster/cmd/internal/flags"
	"muster/net/ops/admin"
)

// A Config is which server is asked, and what is shown of it. Its tags say how that is spelled on a command line.
type Config struct {
	Admin             flags.AdminURL `default:"127.0.0.1:8086" placeholder:"ADDR" help:"Where the server listens for operators: HOST:PORT, :PORT or http://HOST:PORT/ (${default})."`
	Every             time.Duration  `default:"2s" placeholder:"D" help:"Ask it so often (${default})."`
	Sessions          int            `default:"10" placeholder:"N" help:"Show the N players with the longest queues (${default})."`
	Once              bool           `help:"Show everything once, and end."`
	flags.TokenSource `embed:""`
}

// Check refuses what cannot be shown.
func (v *Config) Check() error {
	switch {
	case v.Every < 100*time.Millisecond:
		return fmt.Errorf("--every is at least 100ms, not %v", v.Every)
	case v.Sessions < 0 || v.Sessions > 1000:
		return fmt.Errorf("--sessions is from 0 to 1,000, not %d", v.Sessions)
	}
	return nil
}

// clearScreen puts the cursor in the corner and forgets what is below.
//
// Source: CUP and ED, ECMA-48.
const clearScreen = "\x1b[H\x1b[2J"

// Run shows how a server does until ctx ends.
func Run(ctx context.Context, v *Config, env *flags.Environment) error {
	token, err := v.Token()
	if err != nil {
		return err
	}
	c := &adminclient.Client{Base: v.Admin.Base, Token: token, HTTP: &http.Client{Timeout: 10 * time.Second}}
	defer c.HTTP.CloseIdleConnections()
	pause := time.NewTicker(v.Every)
	defer pause.Stop()
	for {
		var screen strings.Builder
		if err := v.show(ctx, c, &screen); err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return err
		}
		if v.Once {
			_, err := io.WriteString(env.Stdout, screen.String())
			return err
		}
		if _, err := io.WriteString(env.Stdout, clearScreen+screen.String()); err != nil {
			return err
		}
		select {
		case <-pause.C:
		case <-ctx.Done():
			return nil
		}
	}
}

// show writes one screen.
func (v *Config) show(ctx context.Context, c *adminclient.Client, out io.Writer) error {
	var maps []admin.Map
	if err := c.Read(ctx, "/api/maps", &maps); err != nil {
		return err
	}
	var players admin.Sessions
	if err := c.Read(ctx, fmt.Sprintf("/api/sessions?sort=queued&desc=1&n=%d", v.Sessions), &players); err != nil {
		return err
	}
	var pace admin.Pace
	if err := c.Read(ctx, "/api/pace", &pace); err != nil {
		return err
	}
	fmt.Fprintf(out, "muster at %s: %s, %s; a step is %v ms, a flush comes every %v ms\n\n",
		v.Admin.Base, plural(len(maps), "map"), plural(players.Total, "player"), pace.StepMs, pace.FlushMs)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "map\tname\ttick\tplayers\tcreatures\tawake\tread\tmean ms\tp95\tp99\tmax\tlate\tskipped\t")
	busiest := -1
	for i, m := range maps {
		if m.Resting { // what is known of its ticks is from before
			fmt.Fprintf(w, "%d\t%s\tresting\t0\t%d\t0\t–\t–\t–\t–\t–\t%d\t%d\t\n", m.ID, m.Name, m.Creatures, m.Late, m.Skipped)
			continue
		}
		fmt.Fprintf(w, "%d\t%s\t%d\t%d\t%d\t%d\t%d\t%.2f\t%.2f\t%.2f\t%.2f\t%d\t%d\t\n", m.ID, m.Name, m.Tick, m.Players, m.Creatures, m.Awake,
			m.Items, m.MeanMs, m.P95Ms, m.P99Ms, m.MaxMs, m.Late, m.Skipped)
		if busiest < 0 || m.MeanMs > maps[busiest].MeanMs {
			busiest = i
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, m := range maps {
		if m.Running != "" {
			fmt.Fprintf(out, "map %d: %s\n", m.ID, m.Running)
		}
	}
	if busiest >= 0 {
		if err := v.showSystems(ctx, c, &maps[busiest], out); err != nil {
			return err
		}
	}
	return v.showSessions(&players, out)
}

// plural is a number of things.
func plural(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

// showSystems shows where the time of a map goes.
func (v *Config) showSystems(ctx context.Context, c *adminclient.Client, m *admin.Map, out io.Writer) error {
	var last admin.Ticks
	if err := c.Read(ctx, fmt.Sprintf("/api/ticks?map=%d", m.ID), &last); err != nil {
		return err
	}
	type share struct {
		name      string
		mean, max float64
	}
	var all []share
	for i, name := range last.Systems {
		s := share{name: name}
		for _, t := range last.Ticks {
			s.mean += t.SpentMs[i] / float64(len(last.Ticks))
			s.max = max(s.max, t.SpentMs[i])
		}
		all = append(all, s)
	}
	slices.SortStableFunc(all, func(a, b share) int {
		switch {
		case a.mean > b.mean:
			return -1
		case a.mean < b.mean:
			return 1
		}
		return 0
	})
	fmt.Fprintf(out, "\nmap %d, %s: %s\n", m.ID, m.Name, plural(len(last.Ticks), "tick"))
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "system\tmean ms\tmax\t")
	for _, s := range all[:min(8, len(all))] {
		fmt.Fprintf(w, "%s\t%.3f\t%.3f\t\n", s.name, s.mean, s.max)
	}
	for i, cell := range m.Fullest[:min(3, len(m.Fullest))] {
		if i == 0 {
			fmt.Fprintln(w, "cell\tthings\tplayers\t")
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t\n", cell.Cell, cell.Things, cell.Players)
	}
	return w.Flush()
}

func (v *Config) showSessions(players *admin.Sessions, out io.Writer) error {
	all := players.Sessions
	if len(all) == 0 {
		return nil
	}
	fmt.Fprintln(out)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "player\tlevel\tmap\taddress\tin kB\tout kB\tqueued\twaits ms\t")
	for _, p := range all {
		fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%.1f\t%.1f\t%d\t%d\t\n", p.Name, p.Level, p.Map, p.From, float64(p.In)/1000, float64(p.Out)/1000, p.Queued, p.WaitsMs)
	}
	return w.Flush()
}

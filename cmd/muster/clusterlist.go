package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"muster/cmd/internal/storage"
	"muster/loaders/registry"
	"muster/net/ops/console"
)

// A clusterView is a cluster as operators see and change it: a console.Cluster.
type clusterView struct {
	registry *registry.Registry
	realm    string
}

// listedCluster is what muster ctl cluster --json prints.
type listedCluster struct {
	Processes []listedProcess `json:"processes"`
	Shards    []listedShard   `json:"shards"`
}

type listedProcess struct {
	ID        uint64            `json:"id"`
	Role      string            `json:"role"`
	Host      string            `json:"host"`
	PID       int               `json:"pid"`
	Addresses map[string]string `json:"addresses"` // admin, and auth or world
	Leads     bool              `json:"leads,omitempty"`
	Draining  bool              `json:"draining,omitempty"`
	Load      float32           `json:"load"` // of a worker: cores
}

type listedShard struct {
	Map      uint32  `json:"map"`
	Instance uint32  `json:"instance"`
	Worker   *uint64 `json:"worker"`  // the ID of a process; null if none has it
	Standby  *uint64 `json:"standby"` // as well: of several the first, one that is ready if there is one
	Epoch    uint64  `json:"epoch"`
	State    string  `json:"state"`
	Tick     uint64  `json:"tick"`
	Players  int     `json:"players"`

	Standbys []listedStandby `json:"standbys,omitempty"`
}

type listedStandby struct {
	Worker uint64 `json:"worker"` // the ID of a process
	Ready  bool   `json:"ready"`  // it has read the log, and is a moment behind
	Tick   uint64 `json:"tick"`
}

func (c *clusterView) read(ctx context.Context) (l listedCluster, err error) {
	processes, err := c.registry.Processes(ctx, c.realm)
	if err != nil {
		return l, err
	}
	shards, err := c.registry.Shards(ctx, c.realm)
	if err != nil {
		return l, err
	}
	standbys, err := c.registry.Standbys(ctx, c.realm)
	l = listedCluster{[]listedProcess{}, []listedShard{}}
	for _, p := range processes {
		at := map[string]string{"admin": p.Admin}
		switch p.Role {
		case registry.RoleLogin:
			at["auth"] = p.Address
		case registry.RoleGateway:
			at["world"] = p.Address
		}
		l.Processes = append(l.Processes, listedProcess{p.ID, p.Role, p.Host, p.PID, at, p.Leads, p.Draining, p.Load})
	}
	for _, s := range shards {
		listed := listedShard{Map: s.Map, Instance: s.Instance, Epoch: s.Epoch, State: s.State, Tick: s.Tick, Players: s.Players}
		if s.Worker != 0 {
			listed.Worker = &s.Worker
		}
		for _, f := range standbys {
			if f.Map == s.Map && f.Instance == s.Instance {
				listed.Standbys = append(listed.Standbys, listedStandby{f.Worker, f.Ready, f.Tick})
			}
		}
		if len(listed.Standbys) > 0 {
			listed.Standby = &listed.Standbys[0].Worker
		}
		l.Shards = append(l.Shards, listed)
	}
	return l, err
}

// List implements console.Cluster.
func (c *clusterView) List(ctx context.Context, asJSON bool) ([]string, error) {
	l, err := c.read(ctx)
	if err != nil {
		return nil, storage.OneLine(err)
	}
	if asJSON {
		text, err := json.MarshalIndent(&l, "", "  ")
		return strings.Split(string(text), "\n"), err
	}
	var b bytes.Buffer
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tROLE\tHOST\tPID\tADMIN\tCLIENTS\tLOAD\t")
	for _, p := range l.Processes {
		note, clients := "", p.Addresses["auth"]+p.Addresses["world"]
		switch {
		case p.Leads:
			note = "leads"
		case p.Draining:
			note = "draining"
		}
		if clients == "" {
			clients = "-"
		}
		fmt.Fprintf(w, "%d\t%s\t%s\t%d\t%s\t%s\t%.2f\t%s\n", p.ID, p.Role, p.Host, p.PID, p.Addresses["admin"], clients, p.Load, note)
	}
	w.Flush()
	fmt.Fprintln(w, "MAP\tINSTANCE\tWORKER\tSTANDBY\tEPOCH\tSTATE\tTICK\tPLAYERS")
	for _, s := range l.Shards {
		worker := "-"
		if s.Worker != nil {
			worker = fmt.Sprint(*s.Worker)
		}
		fmt.Fprintf(w, "%d\t%d\t%s\t%s\t%d\t%s\t%d\t%d\n", s.Map, s.Instance, worker, s.standbys(), s.Epoch, s.State, s.Tick, s.Players)
	}
	w.Flush()
	return strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n"), nil
}

// standbys are the workers that follow a shard, in brackets those that are not ready; "-" if none does.
func (s *listedShard) standbys() string {
	var all []string
	for _, f := range s.Standbys {
		text := fmt.Sprint(f.Worker)
		if !f.Ready {
			text = "(" + text + ")"
		}
		all = append(all, text)
	}
	return cmp.Or(strings.Join(all, ","), "-")
}

// Drain implements console.Cluster.
func (c *clusterView) Drain(ctx context.Context, worker uint64) error {
	err := c.registry.Drain(ctx, c.realm, worker)
	if errors.Is(err, registry.ErrReplaced) {
		err = console.Refusal(fmt.Sprintf("There is no worker %d.", worker))
	}
	return err
}

// Move implements console.Cluster.
func (c *clusterView) Move(ctx context.Context, id uint32, worker uint64) error {
	shards, err := c.registry.Shards(ctx, c.realm)
	if err != nil {
		return storage.OneLine(err)
	}
	for _, s := range shards {
		if s.Map != id || s.Instance != 0 {
			continue
		}
		if s.Worker == worker {
			return console.Refusal("It has the world.")
		}
		err := c.registry.Move(ctx, c.realm, s, worker)
		if errors.Is(err, registry.ErrOlder) {
			err = console.Refusal(fmt.Sprintf("There is no worker %d that does not drain, has that map in its world, and has room, or the world has been given to another meanwhile.", worker))
		}
		return err
	}
	return console.Refusal(fmt.Sprintf("There is no map %d.", id))
}

// Scale implements console.Cluster.
func (c *clusterView) Scale(ctx context.Context, workers int) error {
	return storage.OneLine(c.registry.SetScale(ctx, c.realm, workers))
}

// Stop implements console.Cluster.
func (c *clusterView) Stop(ctx context.Context, process uint64) error {
	err := c.registry.End(ctx, c.realm, process)
	if errors.Is(err, registry.ErrReplaced) {
		return console.Refusal(fmt.Sprintf("There is no process %d.", process))
	}
	return storage.OneLine(err)
}

// SetRealm implements console.Cluster.
func (c *clusterView) SetRealm(ctx context.Context, level uint8, offline bool) error {
	return storage.OneLine(c.registry.SetRealm(ctx, c.realm, level, offline))
}

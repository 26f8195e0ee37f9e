// Package clusterview shows operators the processes and the worlds of a realm, and executes what they want of them.
package clusterview

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
	"muster/net/ops/page"
)

// A View is a cluster as operators see and change it: a console.Cluster.
type View struct {
	Registry *registry.Registry
	Realm    string // its name
}

// A Cluster is what muster ctl cluster --json prints.
type Cluster struct {
	Processes []Process `json:"processes"`
	Shards    []Shard   `json:"shards"`
	Players   *Players  `json:"players,omitempty"`
}

// A Process is a row of Cluster.
type Process struct {
	ID        uint64            `json:"id"`
	Role      string            `json:"role"`
	Host      string            `json:"host"`
	PID       int               `json:"pid"`
	Addresses map[string]string `json:"addresses"` // admin, and auth or world
	Leads     bool              `json:"leads,omitempty"`
	Draining  bool              `json:"draining,omitempty"`
	// Superseded is of a worker that an upgrade is to end.
	Superseded bool    `json:"superseded,omitempty"`
	Release    string  `json:"release,omitempty"`
	Load       float32 `json:"load"` // of a worker: cores
}

// A Shard is a world of Cluster, and the process that has it.
type Shard struct {
	Map      uint32  `json:"map"`
	Instance uint32  `json:"instance"`
	Worker   *uint64 `json:"worker"`  // the ID of a process; null if none has it
	Standby  *uint64 `json:"standby"` // as well: of several the first, one that is ready if there is one
	Epoch    uint64  `json:"epoch"`
	State    string  `json:"state"`
	Tick     uint64  `json:"tick"`
	Players  int     `json:"players"`
	Load     float32 `json:"load"` // cores that its ticks take, as its worker said last

	Standbys []Standby `json:"standbys,omitempty"`
}

// A Standby is a process that follows a world.
type Standby struct {
	Worker uint64 `json:"worker"` // the ID of a process
	Ready  bool   `json:"ready"`  // it has read the log, and is a moment behind
	Tick   uint64 `json:"tick"`
}

func (c *View) read(ctx context.Context) (l Cluster, err error) {
	processes, err := c.Registry.Processes(ctx, c.Realm)
	if err != nil {
		return l, err
	}
	shards, err := c.Registry.Shards(ctx, c.Realm)
	if err != nil {
		return l, err
	}
	standbys, err := c.Registry.Standbys(ctx, c.Realm)
	l = Cluster{Processes: []Process{}, Shards: []Shard{}}
	for _, p := range processes {
		at := map[string]string{"admin": p.Admin}
		switch p.Role {
		case registry.RoleLogin:
			at["auth"] = p.Address
		case registry.RoleGateway:
			at["world"] = p.Address
		}
		l.Processes = append(l.Processes, Process{p.ID, p.Role, p.Host, p.PID, at, p.Leads, p.Draining, p.Superseded, p.Release, p.Load})
	}
	for _, s := range shards {
		listed := Shard{Map: s.Map, Instance: s.Instance, Epoch: s.Epoch, State: s.State, Tick: s.Tick, Players: s.Players, Load: s.Load}
		if s.Worker != 0 {
			listed.Worker = &s.Worker
		}
		for _, f := range standbys {
			if f.Map == s.Map && f.Instance == s.Instance {
				listed.Standbys = append(listed.Standbys, Standby{f.Worker, f.Ready, f.Tick})
			}
		}
		if len(listed.Standbys) > 0 {
			listed.Standby = &listed.Standbys[0].Worker
		}
		l.Shards = append(l.Shards, listed)
	}
	return l, err
}

// Read implements page.Cluster.
func (c *View) Read(ctx context.Context) (any, error) { return c.read(ctx) }

// Places implements page.Cluster.
func (c *View) Places(ctx context.Context) ([]page.Place, error) {
	l, err := c.read(ctx)
	if err != nil {
		return nil, err
	}
	at := make(map[uint64]string)
	for _, p := range l.Processes {
		at[p.ID] = p.Addresses["admin"]
	}
	var places []page.Place
	for _, s := range l.Shards {
		if s.Worker != nil && at[*s.Worker] != "" {
			places = append(places, page.Place{Map: s.Map, Instance: s.Instance, Admin: at[*s.Worker]})
		}
	}
	return places, nil
}

// List implements console.Cluster.
func (c *View) List(ctx context.Context, asJSON bool) ([]string, error) {
	l, err := c.read(ctx)
	if err != nil {
		return nil, storage.OneLine(err)
	}
	if asJSON {
		if l.Players, err = c.players(ctx, ""); err != nil {
			return nil, storage.OneLine(err)
		}
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
		case p.Superseded:
			note = "superseded"
		}
		if clients == "" {
			clients = "-"
		}
		fmt.Fprintf(w, "%d\t%s\t%s\t%d\t%s\t%s\t%.2f\t%s\n", p.ID, p.Role, p.Host, p.PID, p.Addresses["admin"], clients, p.Load, note)
	}
	w.Flush()
	fmt.Fprintln(w, "MAP\tINSTANCE\tWORKER\tSTANDBY\tEPOCH\tSTATE\tTICK\tPLAYERS\tLOAD")
	for _, s := range l.Shards {
		worker := "-"
		if s.Worker != nil {
			worker = fmt.Sprint(*s.Worker)
		}
		fmt.Fprintf(w, "%d\t%d\t%s\t%s\t%d\t%s\t%d\t%d\t%.2f\n", s.Map, s.Instance, worker, s.standbys(), s.Epoch, s.State, s.Tick, s.Players, s.Load)
	}
	w.Flush()
	return strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n"), nil
}

// standbys are the workers that follow a shard, in brackets those that are not ready; "-" if none does.
func (s *Shard) standbys() string {
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
func (c *View) Drain(ctx context.Context, worker uint64) error {
	err := c.Registry.Drain(ctx, c.Realm, worker)
	if errors.Is(err, registry.ErrReplaced) {
		err = console.Refusal(fmt.Sprintf("There is no worker %d.", worker))
	}
	return err
}

// Undrain implements console.Cluster.
func (c *View) Undrain(ctx context.Context, worker uint64) error {
	err := c.Registry.Undrain(ctx, c.Realm, worker)
	if errors.Is(err, registry.ErrReplaced) {
		return console.Refusal(fmt.Sprintf("There is no worker %d that drains, or it is to end.", worker))
	}
	return storage.OneLine(err)
}

// Move implements console.Cluster.
func (c *View) Move(ctx context.Context, id, instance uint32, worker uint64) error {
	shards, err := c.Registry.Shards(ctx, c.Realm)
	if err != nil {
		return storage.OneLine(err)
	}
	for _, s := range shards {
		if s.Map != id || s.Instance != instance {
			continue
		}
		if s.Worker == worker {
			return console.Refusal("It has the world.")
		}
		err := c.Registry.Move(ctx, c.Realm, s, worker)
		if errors.Is(err, registry.ErrOlder) {
			err = console.Refusal(fmt.Sprintf("There is no worker %d that does not drain, has that map in its world, and has room, or the world has been given to another meanwhile.", worker))
		}
		return err
	}
	if instance != 0 {
		return console.Refusal(fmt.Sprintf("There is no instance %d of map %d.", instance, id))
	}
	return console.Refusal(fmt.Sprintf("There is no map %d.", id))
}

// Scale implements console.Cluster.
func (c *View) Scale(ctx context.Context, workers int) error {
	processes, err := c.Registry.Processes(ctx, c.Realm)
	if err != nil {
		return storage.OneLine(err)
	}
	switch most := mostWorkers(processes); {
	case most == 0:
		return console.Refusal("Nothing in the realm can start workers: the orchestrator that leads has none of --spawn, --scale-exec and --scale-kubernetes. Start and stop muster worker yourself.")
	case workers > most:
		return console.Refusal(fmt.Sprintf("The realm can have %d workers at most.", most))
	}
	return storage.OneLine(c.Registry.SetScale(ctx, c.Realm, workers))
}

// mostWorkers is how many workers a realm can have, as its leader says, or while none leads any orchestrator. It is 0 if they start none.
func mostWorkers(processes []registry.Process) (most int) {
	for _, p := range processes {
		switch {
		case p.Role != registry.RoleOrchestrate:
		case p.Leads:
			return p.Capacity
		default:
			most = max(most, p.Capacity)
		}
	}
	return most
}

// Stop implements console.Cluster.
func (c *View) Stop(ctx context.Context, process uint64) (before string, err error) {
	role, err := c.Registry.End(ctx, c.Realm, process)
	if errors.Is(err, registry.ErrReplaced) {
		return "", console.Refusal(fmt.Sprintf("There is no process %d.", process))
	}
	return beforeEnd[role], storage.OneLine(err)
}

// beforeEnd is what a process of a role has to do before it ends.
var beforeEnd = map[string]string{registry.RoleWorker: "its worlds are given to others", registry.RoleGateway: "its players are saved"}

// SetRealm implements console.Cluster.
func (c *View) SetRealm(ctx context.Context, level uint8, offline bool) error {
	return storage.OneLine(c.Registry.SetRealm(ctx, c.Realm, level, offline))
}

// LimitRealm implements console.Cluster.
func (c *View) LimitRealm(ctx context.Context, players int) error {
	return storage.OneLine(c.Registry.LimitRealm(ctx, c.Realm, players))
}

// Package worldreload reads parts of an imported world again while worlds of it run, and gives them what they have become.
package worldreload

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"muster/cmd/internal/worldspec"
	"muster/components/defs"
	"muster/loaders/worlddb/content"
	"muster/net/replication/frame"
)

// Parts are the names by which operators call parts, those of AzerothCore among them.
//
// Source: the names of cs_reload.cpp, AzerothCore.
var Parts = map[string]defs.Part{
	"smart_scripts": defs.PartScripts,
	"creature_text": defs.PartTexts,
	"gossip":        defs.PartGossip, "gossip_menu": defs.PartGossip, "gossip_menu_option": defs.PartGossip,
	"vendors": defs.PartVendors, "npc_vendor": defs.PartVendors,
	"waypoints": defs.PartWays, "waypoint_data": defs.PartWays, "waypoint_scripts": defs.PartWays,
	"game_event": defs.PartEvents,
}

// Worlds are where parts go: a gateway.
type Worlds interface {
	// Reload gives all worlds a part, which is written for each map, and waits for their answers.
	Reload(ctx context.Context, part func(mapID uint32) ([]byte, error)) ([]string, error)
}

// A Reloader reads parts of one world again. It may be called from any goroutine.
type Reloader struct {
	At    string // of the database
	Files string // the folder of tables of a client; "" none
	Seed  uint64
	// Loaded is the world that the running ones were made of.
	Loaded *content.World

	reading sync.Mutex // while a part is read

	mu    sync.Mutex
	parts []current // in the order in which they were replaced
}

// A current is a part as worlds have it now.
type current struct {
	part defs.Part
	from *content.World
}

// ErrBusy is that a part is being read.
var ErrBusy = errors.New("a part of the world is being read")

// Reload reads a part, and gives it to all worlds. If its rows are bad, or cannot be read, worlds keep what they have.
func (r *Reloader) Reload(ctx context.Context, worlds Worlds, part defs.Part) ([]string, error) {
	if !r.reading.TryLock() {
		return nil, ErrBusy
	}
	defer r.reading.Unlock()
	fresh, err := worldspec.OpenWorld(ctx, r.At, r.Seed, r.Files)
	if err != nil {
		return nil, fmt.Errorf("the world cannot be read: %w", err)
	}
	if err := fresh.Replaces(r.latest(part), part); err != nil {
		return nil, err
	}
	said, err := worlds.Reload(ctx, func(mapID uint32) ([]byte, error) { return r.patch(fresh, part, mapID) })
	if err != nil {
		return said, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range r.parts {
		if r.parts[i].part == part {
			r.parts = append(r.parts[:i], r.parts[i+1:]...)
			break
		}
	}
	r.parts = append(r.parts, current{part, fresh})
	return said, nil
}

// latest is the world whose rows of a part count now.
func (r *Reloader) latest(part defs.Part) *content.World {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.parts {
		if c.part == part {
			return c.from
		}
	}
	return r.Loaded
}

func (r *Reloader) patch(fresh *content.World, part defs.Part, mapID uint32) ([]byte, error) {
	return fresh.Patch(r.Loaded, part, mapID).AppendBinary(nil)
}

// Current is what a world of a map is to read first that is made now: the parts that have been replaced.
func (r *Reloader) Current(mapID, nowMs uint32) (*frame.Inbox, error) {
	r.mu.Lock()
	parts := append([]current(nil), r.parts...)
	r.mu.Unlock()
	in := new(frame.Inbox)
	for _, c := range parts {
		b, err := r.patch(c.from, c.part, mapID)
		if err != nil {
			return nil, err
		}
		for _, it := range frame.Reloads(0, nowMs, b) {
			if err := in.Add(it); err != nil {
				return nil, err
			}
		}
	}
	return in, nil
}

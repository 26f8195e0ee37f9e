package clusterview

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"text/tabwriter"

	"muster/cmd/internal/storage"
	"muster/net/ops/console"
	"muster/net/ops/page"
)

// MaxPlayers is how many players are listed at most, our own choice: a list of them is some 300 KB of JSON, and is read by muster ctl as a whole.
const MaxPlayers = 1000

// Players are the accounts that play in the realm of a Cluster, through whichever gateways.
type Players struct {
	Total  int      `json:"total"`
	Listed []Player `json:"listed"` // the first MaxPlayers, by account
}

// A Player is a row of Players.
type Player struct {
	Account     uint32 `json:"account"`
	AccountName string `json:"account_name"`
	GUID        uint64 `json:"guid"`
	Character   string `json:"character"`
	Gateway     uint32 `json:"gateway"` // its number
	World       *World `json:"world"`   // null on the way in, out or to another one
}

// A World is a map, or an instance of it.
type World struct {
	Map      uint32 `json:"map"`
	Instance uint32 `json:"instance"`
}

// players lists the players of the realm, or the one whose character has a name, if that is not "".
func (c *View) players(ctx context.Context, name string) (*Players, error) {
	all, total, err := c.Registry.Players(ctx, c.Realm, name, MaxPlayers)
	if err != nil {
		return nil, err
	}
	p := &Players{Total: total, Listed: []Player{}}
	for _, s := range all {
		listed := Player{Account: s.Account, AccountName: s.AccountName, GUID: s.GUID, Character: s.Character, Gateway: s.Gateway}
		if s.InWorld {
			listed.World = &World{s.Map, s.Instance}
		}
		p.Listed = append(p.Listed, listed)
	}
	return p, nil
}

// Players implements console.Cluster.
func (c *View) Players(ctx context.Context, name string) ([]string, error) {
	p, err := c.players(ctx, name)
	if err != nil {
		return nil, storage.OneLine(err)
	}
	if name != "" && p.Total == 0 {
		return nil, console.Refusal(fmt.Sprintf("There is no player %s at any gateway.", name))
	}
	var b bytes.Buffer
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ACCOUNT\tID\tCHARACTER\tGUID\tGATEWAY\tMAP\tINSTANCE")
	for _, s := range p.Listed {
		in := "-\t-"
		if s.World != nil {
			in = fmt.Sprintf("%d\t%d", s.World.Map, s.World.Instance)
		}
		fmt.Fprintf(w, "%s\t%d\t%s\t%d\t%d\t%s\n", s.AccountName, s.Account, s.Character, s.GUID, s.Gateway, in)
	}
	if err := w.Flush(); err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	if more := p.Total - len(p.Listed); more > 0 {
		lines = append(lines, fmt.Sprintf("And %d more.", more))
	}
	return append(lines, fmt.Sprintf("%d players.", p.Total)), nil
}

// Find implements page.Cluster.
func (c *View) Find(ctx context.Context, begins string, most int) (found page.Found, err error) {
	all, total, err := c.Registry.FindPlayers(ctx, c.Realm, begins, most)
	if err != nil {
		return found, err
	}
	shards, err := c.Registry.Shards(ctx, c.Realm)
	if err != nil {
		return found, err
	}
	workers := make(map[World]uint64)
	for _, s := range shards {
		workers[World{s.Map, s.Instance}] = s.Worker
	}
	found = page.Found{Total: total, Players: []page.Player{}}
	for _, s := range all {
		p := page.Player{Name: s.Character, GUID: s.GUID, Gateway: s.Gateway}
		if s.InWorld {
			p.World = &page.InWorld{Map: s.Map, Instance: s.Instance, Worker: workers[World{s.Map, s.Instance}]}
		}
		found.Players = append(found.Players, p)
	}
	return found, nil
}

package claims

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"muster/loaders/registry"
)

// locateEvery is how often the registry is told where players are, if that has changed. Our own choice: it is as old as what it has of worlds and gateways.
const locateEvery = time.Second

// Locate tells the registry in which worlds the players of the gateway are, which in lists, until ctx is done: once a second those that have gone elsewhere, in one
// statement. After an error it tells of all.
func (c *Claims) Locate(ctx context.Context, in func() []registry.Location) {
	look := time.NewTicker(locateEvery)
	defer look.Stop()
	said := make(map[uint32]registry.Location) // by account
	for {
		select {
		case <-look.C:
		case <-ctx.Done():
			return
		}
		news := changed(said, in())
		if len(news) == 0 {
			continue
		}
		noted, err := c.config.Member.Locate(ctx, news)
		if err != nil {
			if ctx.Err() == nil {
				c.config.Metric.Count(NotLocated)
				c.config.Log.Warn("the registry is not told where players are", "players", len(news), "err", err)
			}
			clear(said)
			continue
		}
		slices.Sort(noted)
		for _, l := range news {
			_, ok := slices.BinarySearch(noted, l.Account)
			switch {
			case l.Out: // also if it was not noted: the account was given back, most likely
				delete(said, l.Account)
			case ok:
				said[l.Account] = l
			}
		}
	}
}

// changed is what is to be said of players that are in worlds, by what has been said of them, by account.
func changed(said map[uint32]registry.Location, in []registry.Location) (news []registry.Location) {
	gone := maps.Clone(said)
	for _, l := range in {
		if delete(gone, l.Account); said[l.Account] != l {
			news = append(news, l)
		}
	}
	for _, l := range gone {
		l.Out = true
		news = append(news, l)
	}
	slices.SortFunc(news, func(a, b registry.Location) int { return cmp.Compare(a.Account, b.Account) })
	return news
}

package registry

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5"
)

// A Standby is a worker that follows the log of a shard, which another worker has, to go on with it when that ends.
type Standby struct {
	Map, Instance uint32
	Worker        uint64
	Ready         bool   // it has read the log, and is a moment behind
	Tick          uint64 // that it has stepped, as it said last
}

const listStandbys = `SELECT map, instance, worker, ready, tick FROM standbys WHERE realm = $1 ORDER BY map, instance, ready DESC, worker`

// Standbys lists those of a realm, by map and instance, those that are ready first.
func (r *Registry) Standbys(ctx context.Context, realm string) (list []Standby, err error) {
	err = r.call(ctx, func(ctx context.Context, q querier) error {
		rows, err := q.Query(ctx, listStandbys, realm)
		if err == nil {
			list, err = collect[Standby](rows)
		}
		return err
	})
	return list, err
}

const (
	take = `UPDATE shards SET worker = $5, epoch = epoch + 1, state = 'runs', since = now() WHERE realm = $1 AND map = $2 AND instance = $3 AND epoch = $4
		AND worker IS DISTINCT FROM $5 AND EXISTS (SELECT FROM processes WHERE id = $5 AND until > now()) RETURNING epoch`
	followNoMore = `DELETE FROM standbys WHERE realm = $1 AND map = $2 AND instance = $3 AND worker = $4`
)

// Take notes that this worker has gone on with a shard that it followed, as the log of its world says, and returns the epoch that is its own. The error is
// ErrOlder if the shard has been given to a worker meanwhile: that one is to have it.
func (e *Enlisted) Take(ctx context.Context, s Shard) (epoch uint64, err error) {
	ctx, cancel := e.renewTime(ctx)
	defer cancel()
	err = e.registry.transact(ctx, func(ctx context.Context, tx pgx.Tx) error {
		err := tx.QueryRow(ctx, take, e.realm, s.Map, s.Instance, s.Epoch, e.id).Scan(&epoch)
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrOlder
		}
		if err == nil {
			_, err = tx.Exec(ctx, followNoMore, e.realm, s.Map, s.Instance, e.id)
		}
		return err
	})
	return epoch, err
}

const place = `INSERT INTO standbys (realm, map, instance, worker) SELECT s.realm, s.map, s.instance, p.id FROM shards s JOIN processes p ON p.realm = s.realm
	WHERE s.realm = $1 AND s.map = $2 AND s.instance = $3 AND p.id = $4 AND s.worker <> p.id AND p.durable AND NOT p.draining AND p.until > now() ON CONFLICT DO NOTHING`

// Place has a worker follow a shard. The error is ErrOlder if it cannot: it has the shard, say, or drains.
func (l *Leader) Place(ctx context.Context, s Standby) error {
	ctx, cancel := l.callTime(ctx)
	defer cancel()
	return wrap(older(l.conn.Exec(ctx, place, l.realm, s.Map, s.Instance, s.Worker)))
}

// While the database is away all leases end, and none of the workers is known to have ended.
const withdraw = followNoMore + ` AND (EXISTS (SELECT FROM processes p WHERE p.id = $4 AND p.until > now())
	OR EXISTS (SELECT FROM processes me WHERE me.id = $5 AND me.until > now() AND me.steady + $6 <= now()))`

// Withdraw has a worker follow a shard no more. Of a worker whose lease is over that is done once this process has renewed its own for as long.
func (l *Leader) Withdraw(ctx context.Context, s Standby) error {
	ctx, cancel := l.callTime(ctx)
	defer cancel()
	_, err := l.conn.Exec(ctx, withdraw, l.realm, s.Map, s.Instance, s.Worker, l.id, l.registry.config.ProcessLease)
	return wrap(err)
}

const noteEnd = `UPDATE processes SET until = now() - interval '1 millisecond' WHERE realm = $1 AND role = 'worker' AND host = $2 AND pid = $3 AND until > now()`

// NoteEnd ends the lease of a worker that the caller has seen to end, so that its shards need not wait for that.
func (r *Registry) NoteEnd(ctx context.Context, realm, host string, pid int) error {
	return r.transact(ctx, func(ctx context.Context, tx pgx.Tx) error {
		_, err := tx.Exec(ctx, noteEnd, realm, host, pid)
		return err
	})
}

// AssignStandbys decides which workers are to follow which shards, so many each, and which that do are not to. None follows a shard that it has, or that a worker of another
// release or with other settings has, nor more than it has room for beside those that it has; one on another host than that of the shard's worker comes first, and then the one with the least load, its players counted in.
func AssignStandbys(workers []Process, shards []Shard, standbys []Standby, each int) (placed, withdrawn []Standby) {
	type place struct {
		Process
		worlds int
	}
	places := make(map[uint64]*place)
	for _, w := range workers {
		places[w.ID] = &place{Process: w}
	}
	type key struct{ id, instance uint32 }
	owners := make(map[key]uint64)
	for _, s := range shards {
		owners[key{s.Map, s.Instance}] = s.Worker
		if p := places[s.Worker]; p != nil {
			p.worlds++
			p.Load += playerCost * float32(s.Players)
		}
	}
	follow := make(map[key][]uint64)
	byReady := slices.Clone(standbys)
	slices.SortStableFunc(byReady, func(a, b Standby) int { return compareBool(!a.Ready, !b.Ready) })
	for _, s := range byReady {
		at, p := key{s.Map, s.Instance}, places[s.Worker]
		if owner, ok := owners[at]; !ok || owner == s.Worker || p == nil || places[owner] != nil && !p.follows(&places[owner].Process) || p.Draining || !p.Durable || len(follow[at]) >= each {
			withdrawn = append(withdrawn, s)
			continue
		}
		follow[at] = append(follow[at], s.Worker)
		p.worlds++
		if !s.Ready {
			p.Load += startCost
		}
	}
	for _, s := range shards {
		at, owner := key{s.Map, s.Instance}, places[s.Worker]
		if owner == nil {
			continue // it is given to one first
		}
		for len(follow[at]) < each {
			var least *place
			for _, w := range workers {
				p := places[w.ID]
				if p == owner || !p.follows(&owner.Process) || !p.takes(s.Map) || !p.Durable || p.worlds >= p.Capacity || slices.Contains(follow[at], p.ID) {
					continue
				}
				if least == nil || cmp.Or(compareBool(p.Host == owner.Host, least.Host == owner.Host), cmp.Compare(p.Load, least.Load),
					cmp.Compare(p.worlds, least.worlds), cmp.Compare(p.ID, least.ID)) < 0 {
					least = p
				}
			}
			if least == nil {
				break
			}
			least.worlds++
			least.Load += startCost
			follow[at] = append(follow[at], least.ID)
			placed = append(placed, Standby{Map: s.Map, Instance: s.Instance, Worker: least.ID})
		}
	}
	return placed, withdrawn
}

// follows reports whether a worker can read the logs of another one.
func (p *Process) follows(o *Process) bool { return p.Release == o.Release && p.Settings == o.Settings }

// takes reports whether a worker is given worlds of a map.
func (p *Process) takes(id uint32) bool {
	return !p.Draining && (p.Maps == nil || slices.Contains(p.Maps, id))
}

// compareBool compares two facts: false is less.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

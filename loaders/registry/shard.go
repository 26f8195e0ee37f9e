package registry

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// States of shards.
const (
	Free  = "free"  // no worker has it
	Given = "given" // to a worker, which has not said yet that it runs
	Runs  = "runs"
)

// A Shard is a world: that of a map, or an instance of it.
type Shard struct {
	Map, Instance uint32
	Worker        uint64 // the process that has it; 0 if none has
	Epoch         uint64 // grows with each worker that it is given to; 0 before the first
	State         string
	Tick          uint64 // as the worker said last
	Players       int
	Release       string  // of the worker that ran it last; "" if none has
	Settings      string  // of that worker, as Process.Settings
	Load          float32 // of one that runs: cores that its ticks take, as the worker said last
	Moved         bool    // by Move, less than StayTime ago
}

// StayTime is for how long a shard that was moved stays where it is, unless an operator moves it. Our own choice.
const StayTime = 10 * time.Minute

const declare = `INSERT INTO shards (realm, map, instance, epoch, state, since) SELECT $1, m, 0, 0, 'free', now() FROM unnest($2::bigint[]) AS m
	ON CONFLICT DO NOTHING`

// Declare has a realm have maps, each with one shard, besides those that it has.
func (r *Registry) Declare(ctx context.Context, realm string, maps []uint32) error {
	ids := make([]int64, len(maps))
	for i, id := range maps {
		ids[i] = int64(id)
	}
	return r.transact(ctx, func(ctx context.Context, tx pgx.Tx) error {
		_, err := tx.Exec(ctx, declare, realm, ids)
		return err
	})
}

// The first parameter of what lists shards is StayTime.
const (
	columns    = `SELECT map, instance, coalesce(worker, 0), epoch, state, tick, players, release, settings, load, coalesce(moved > now() - $1::interval, false) FROM shards `
	listShards = columns + `WHERE realm = $2 ORDER BY map, instance`
)

// Shards lists the shards of a realm, by map and instance.
func (r *Registry) Shards(ctx context.Context, realm string) (list []Shard, err error) {
	err = r.call(ctx, func(ctx context.Context, q querier) error {
		list, err = shards(ctx, q, listShards, StayTime, realm)
		return err
	})
	return list, err
}

func shards(ctx context.Context, q querier, query string, of ...any) ([]Shard, error) {
	rows, err := q.Query(ctx, query, of...)
	if err != nil {
		return nil, err
	}
	return collect[Shard](rows)
}

const (
	reportShard = `UPDATE shards SET state = 'runs', tick = $5, players = $6, load = $8, release = p.release, settings = p.settings FROM processes p
		WHERE shards.realm = $1 AND map = $2 AND instance = $3 AND epoch = $4 AND worker = $7 AND p.id = $7`
	reportStandby = `UPDATE standbys SET ready = $5, tick = $6 WHERE realm = $1 AND map = $2 AND instance = $3 AND worker = $4`
	isThere       = `SELECT EXISTS (SELECT FROM shards WHERE realm = $1 AND map = $2 AND instance = $3)`
	listOrders    = columns + `WHERE worker = $2 OR realm = $3
		AND EXISTS (SELECT FROM standbys f WHERE f.realm = shards.realm AND f.map = shards.map AND f.instance = shards.instance AND f.worker = $2) ORDER BY map, instance`
)

// A Work is what a worker says of itself.
type Work struct {
	Load    float32   // cores that its ticks take
	Runs    []Shard   // with the epochs by which it does
	Follows []Standby // that it is; Worker is ignored
}

// Orders are what a worker is to do.
type Orders struct {
	Own      []Shard // that it has been given
	Follows  []Shard // that it is a standby of
	Gone     []Shard // that it runs, and that there are no more
	Draining bool
	Ending   bool // it is to end once it has no shards
}

// Report renews the lease of a worker as Renew does, says what it runs and follows, and returns what it has been given: what it runs and is not in that, with that
// epoch, is another's. What it says of a shard whose epoch is another is refused. The error is ErrReplaced if it is not enlisted any more.
func (e *Enlisted) Report(ctx context.Context, w Work) (o Orders, err error) {
	ctx, cancel := e.renewTime(ctx)
	defer cancel()
	var all, refused []Shard
	b := new(pgx.Batch) // one transaction, in one round trip
	b.Queue(renewProcess, e.id, e.registry.config.ProcessLease, w.Load).QueryRow(func(row pgx.Row) error {
		o.Draining, err = e.renewed(row)
		return err
	})
	for _, s := range w.Runs {
		b.Queue(reportShard, e.realm, s.Map, s.Instance, s.Epoch, s.Tick, s.Players, e.id, s.Load).Exec(func(done pgconn.CommandTag) error {
			if done.RowsAffected() == 0 {
				refused = append(refused, s)
			}
			return nil
		})
	}
	for _, s := range w.Follows {
		b.Queue(reportStandby, e.realm, s.Map, s.Instance, e.id, s.Ready, s.Tick)
	}
	b.Queue(listOrders, StayTime, e.id, e.realm).Query(func(rows pgx.Rows) error {
		all, err = collect[Shard](rows)
		return err
	})
	if err := e.registry.pool.SendBatch(ctx, b).Close(); err != nil {
		return Orders{}, wrap(err)
	}
	o.Ending = e.Ending()
	for _, s := range all {
		if s.Worker == e.id {
			o.Own = append(o.Own, s)
		} else {
			o.Follows = append(o.Follows, s)
		}
	}
	for _, s := range refused {
		there := false
		if err := e.registry.pool.QueryRow(ctx, isThere, e.realm, s.Map, s.Instance).Scan(&there); err != nil {
			return Orders{}, wrap(err)
		}
		if !there {
			o.Gone = append(o.Gone, s)
		}
	}
	return o, nil
}

const giveUp = `UPDATE shards SET worker = NULL, state = 'free', tick = 0, players = 0
	WHERE realm = $1 AND map = $2 AND instance = $3 AND epoch = $4 AND worker = $5`

// GiveUp frees a shard of a worker. The error is ErrOlder if it is another's, or the worker's anew.
func (e *Enlisted) GiveUp(ctx context.Context, s Shard) error {
	ctx, cancel := e.renewTime(ctx)
	defer cancel()
	return e.registry.transact(ctx, func(ctx context.Context, tx pgx.Tx) error {
		return older(tx.Exec(ctx, giveUp, e.realm, s.Map, s.Instance, s.Epoch, e.id))
	})
}

// older is ErrOlder if a statement has changed nothing.
func older(done interface{ RowsAffected() int64 }, err error) error {
	if err == nil && done.RowsAffected() == 0 {
		err = ErrOlder
	}
	return err
}

const move = `UPDATE shards SET worker = p.id, epoch = epoch + 1, state = 'given', tick = 0, players = 0, since = now(), moved = now() FROM processes p
	WHERE shards.realm = $1 AND map = $2 AND instance = $3 AND epoch = $4 AND p.realm = $1 AND p.id = $5 AND p.role = 'worker' AND p.until > now() + $6
	AND NOT p.draining AND (NOT p.superseded OR NOT EXISTS (SELECT FROM processes n WHERE n.realm = $1 AND n.role = 'worker' AND n.until > now()
		AND NOT n.superseded AND NOT n.draining AND n.durable = p.durable))
	AND (p.maps IS NULL OR shards.map = ANY (p.maps))
	AND (p.durable OR NOT EXISTS (SELECT FROM processes d WHERE d.realm = $1 AND d.durable AND d.until > now())) AND ` + hasRoom

// hasRoom is the condition that a worker p takes another shard.
const hasRoom = `(SELECT count(*) FROM shards had WHERE had.worker = p.id) < p.capacity`

// Move gives a shard to a worker, whatever has it. The error is ErrOlder if its epoch is another, or there is no such worker: one that is not silent, does not
// drain, is not superseded while one lives that is not and does not drain, has the map in its world, and has room; and keeps its worlds in logs where some do.
func (r *Registry) Move(ctx context.Context, realm string, s Shard, worker uint64) error {
	return r.transact(ctx, func(ctx context.Context, tx pgx.Tx) error {
		return older(tx.Exec(ctx, move, realm, s.Map, s.Instance, s.Epoch, worker, r.unspent()))
	})
}

package registry

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
)

// A Leader is this process as the one that gives the shards of its realm to workers. One goroutine owns it.
type Leader struct {
	*Enlisted
	conn *pgx.Conn // has the lock

	answered time.Time // when State was answered last, by the monotonic clock
	since    time.Time // since when it was answered all the while
}

// ProcessLease is the default of Config.ProcessLease.
const ProcessLease = 5 * time.Second

// Silence is the default of Config.Silence.
const Silence = 2 * time.Second

// leadLock is the class of the advisory lock of a realm: "lead" in ASCII.
const leadLock = 0x6c656164

const (
	endIfIdle = `SELECT set_config('idle_session_timeout', $1, false) WHERE current_setting('idle_session_timeout', true) IS NOT NULL`
	// What has not renewed for the time of a lease cannot take shards from workers whose lease is over: it leaves leading to one that can. One that is
	// noted as the leader and has not the lock has ended.
	takeLock = `SELECT CASE WHEN EXISTS (SELECT FROM processes me WHERE me.id = $3 AND me.steady + $4 > now())
		AND EXISTS (SELECT FROM processes p WHERE p.realm = $2 AND p.role = 'orchestrate' AND p.id <> $3 AND NOT p.leads AND p.until > now() AND p.steady + $4 <= now())
		THEN false ELSE pg_try_advisory_lock($1, hashtext($2)) END`
	dropLock   = `SELECT pg_advisory_unlock($1, hashtext($2))`
	noteLeader = `UPDATE processes SET leads = (id = $2) WHERE realm = $1 AND role = 'orchestrate' AND leads <> (id = $2)`
)

// Lead makes this process the leader of its realm. The error is ErrLed if another one is, or is to be: one that has been there for longer.
func (e *Enlisted) Lead(ctx context.Context) (*Leader, error) {
	ctx, cancel := context.WithTimeout(ctx, e.registry.config.Timeout)
	defer cancel()
	pooled, err := e.registry.pool.Acquire(ctx)
	if err != nil {
		return nil, wrap(err)
	}
	var leads bool
	err = pooled.QueryRow(ctx, takeLock, leadLock, e.realm, e.id, e.registry.config.ProcessLease).Scan(&leads)
	if err == nil && !leads {
		pooled.Release()
		return nil, ErrLed
	}
	l := &Leader{Enlisted: e, conn: pooled.Hijack()} // after an error it may have the lock, too
	if err == nil {
		err = l.begin(ctx)
	}
	if err != nil {
		l.Close()
		return nil, wrap(err)
	}
	return l, nil
}

// begin bounds the silence of the session, and notes that this process leads, in one round trip: the bound holds from the end of that on.
func (l *Leader) begin(ctx context.Context) error {
	b := new(pgx.Batch)
	b.Queue(endIfIdle, strconv.FormatInt(l.registry.config.Silence.Milliseconds(), 10))
	b.Queue(noteLeader, l.realm, l.id)
	return l.conn.SendBatch(ctx, b).Close()
}

// Stay has the session be heard between calls that are too far apart for that, as other work is done in between. After an error this process leads no more.
func (l *Leader) Stay(ctx context.Context) error {
	ctx, cancel := l.callTime(ctx)
	defer cancel()
	return wrap(l.conn.Ping(ctx))
}

// callTime bounds a call: one that hangs for longer is of a session that has ended.
func (l *Leader) callTime(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, l.registry.config.Silence)
}

// Close has another process lead.
func (l *Leader) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	l.conn.Exec(ctx, dropLock, leadLock, l.realm) // the end of the session does, too, but it is not waited for
	l.conn.Close(ctx)
}

// When the database was away for that long, or its clock has gone forward by as much, all leases are over: those that are still there have the time of a lease to renew theirs.
const forget = `DELETE FROM processes WHERE realm = $1 AND until < now() - interval '1 hour'
	AND NOT EXISTS (SELECT FROM shards WHERE worker = processes.id)
	AND EXISTS (SELECT FROM processes me WHERE me.id = $2 AND me.until > now() AND me.steady + $3 <= now())`

// State is the workers of the realm whose lease is not over, its shards, and their standbys. After an error this process leads no more. It is to be called again within a sixth
// of a lease: see Give.
func (l *Leader) State(ctx context.Context) (workers []Process, all []Shard, follow []Standby, err error) {
	ctx, cancel := l.callTime(ctx)
	defer cancel()
	b := new(pgx.Batch) // one transaction, in one round trip
	b.Queue(forget, l.realm, l.id, l.registry.config.ProcessLease)
	b.Queue(listProcesses, l.realm, l.registry.unspent()).Query(func(rows pgx.Rows) error {
		workers, err = collect[Process](rows)
		return err
	})
	b.Queue(listShards, StayTime, l.realm).Query(func(rows pgx.Rows) error {
		all, err = collect[Shard](rows)
		return err
	})
	b.Queue(listStandbys, l.realm).Query(func(rows pgx.Rows) error {
		follow, err = collect[Standby](rows)
		return err
	})
	if err := l.conn.SendBatch(ctx, b).Close(); err != nil {
		return nil, nil, nil, wrap(err)
	}
	now := time.Now()
	if now.Sub(l.answered) > l.registry.config.ProcessLease/6 {
		l.since = now
	}
	l.answered = now
	workers = slices.DeleteFunc(workers, func(p Process) bool { return p.Role != RoleWorker })
	return workers, all, follow, nil
}

// hears reports whether the database has answered State for as long as a worker takes to be silent: then it has answered that one, too, had it asked.
func (l *Leader) hears() bool {
	return !l.since.IsZero() && l.answered.Sub(l.since) >= l.registry.config.ProcessLease/3
}

// A shard can be given if no worker has it, or the one that has it drains, or is silent and does not run it yet, although the database has answered the leader meanwhile ($9): it may
// never have heard of it. Or if the lease of that one is over, and the leader has renewed its own for as long without a gap: the database was not away then. A silent worker is given none.
const give = `UPDATE shards SET worker = p.id, epoch = epoch + 1, state = 'given', tick = 0, players = 0, since = now() FROM processes p
	WHERE shards.realm = $1 AND map = $2 AND instance = $3 AND epoch = $4 AND p.id = $5 AND p.until > now() + $8 AND NOT p.draining
	AND (shards.worker IS NULL
		OR $9 AND shards.state = 'given' AND NOT EXISTS (SELECT FROM processes w WHERE w.id = shards.worker AND w.until > now() + $8)
		OR EXISTS (SELECT FROM processes w WHERE w.id = shards.worker AND w.until > now() AND w.draining)
		OR NOT EXISTS (SELECT FROM processes w WHERE w.id = shards.worker AND w.until > now())
		AND EXISTS (SELECT FROM processes me WHERE me.id = $6 AND me.until > now() AND me.steady + $7 <= now()))
	RETURNING epoch`

// Give gives a shard to a worker, if its epoch is still that one, and what has it is to have it no more. The error is ErrOlder if it is not given. What a silent worker was
// given, and does not run yet, is given to another one if State was answered for a third of a lease, with no more than a sixth between two answers.
func (l *Leader) Give(ctx context.Context, s Shard, worker uint64) (epoch uint64, err error) {
	ctx, cancel := l.callTime(ctx)
	defer cancel()
	err = l.conn.QueryRow(ctx, give, l.realm, s.Map, s.Instance, s.Epoch, worker, l.id, l.registry.config.ProcessLease, l.registry.unspent(), l.hears()).Scan(&epoch)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, ErrOlder
	}
	return epoch, wrap(err)
}

// Move gives a shard to a worker, as Registry.Move does, and as long as this process leads.
func (l *Leader) Move(ctx context.Context, s Shard, worker uint64) error {
	ctx, cancel := l.callTime(ctx)
	defer cancel()
	return wrap(older(l.conn.Exec(ctx, move, l.realm, s.Map, s.Instance, s.Epoch, worker, l.registry.unspent())))
}

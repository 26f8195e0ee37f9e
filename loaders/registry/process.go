package registry

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
)

// Roles of processes.
const (
	RoleGateway     = "gateway"
	RoleLogin       = "login"
	RoleOrchestrate = "orchestrate"
	RoleWorker      = "worker"
)

// A Process is one that is enlisted.
type Process struct {
	ID       uint64 // another for each process; Enlist draws it
	Role     string
	Host     string
	PID      int
	Address  string  // host:port for clients; "" if it has none. That of a listener on all addresses is made reachable by Enlist.
	Admin    string  // host:port for operators, likewise
	Capacity int     // of a worker: shards at most; of an orchestrator: how many workers it can have run, those of others among them, 0 if it can start none
	Draining bool    // it is given no shards, and those that it has are given to others
	Load     float32 // of a worker: cores that its ticks take
	Leads    bool
	Maps     []uint32 // of a worker: those of its world, the only ones that it is given; nil: any
	Durable  bool     // of a worker: it keeps its worlds in logs, which others go on with
	Release  string   // of its program; "" of one that did not say so yet
	Settings string   // of a worker: those of its worlds. One with others, or of another release, cannot follow its logs
	Template string   // of a worker: in which it and the gateways must agree
	// Superseded is of a worker whose place others are to take: see Registry.Supersede.
	Superseded bool
	// Silent is of a worker that has not renewed its lease for a third of that. It is given no shards, and those that it does not run yet are given to others.
	Silent bool
}

// An Enlisted is this process as one of a realm. Its methods may be called from any goroutine.
type Enlisted struct {
	registry *Registry
	realm    string
	id       uint64
	ending   atomic.Bool
}

// ID is that of the process, which no other has.
func (e *Enlisted) ID() uint64 { return e.id }

// What begins while others are there that are not silent knows of them since when the database has not been away.
const enlist = `INSERT INTO processes (id, realm, role, host, pid, address, admin, capacity, maps, durable, release, settings, template, since, until, steady)
	VALUES (nextval('lives'), $1, $2, $3, $4, $5, $6, $7, $8, $10, $11, $12, $13, now(), now() + $9,
		coalesce((SELECT min(steady) FROM processes WHERE realm = $1 AND until > now() + $14), now())) RETURNING id`

// Enlist makes this process one of a realm, until its lease is over or it leaves. Where it listens on all addresses, others are told the one from which it
// reaches the database, as they do: in a container, that is the container's.
func (r *Registry) Enlist(ctx context.Context, realm string, p Process) (*Enlisted, error) {
	e := &Enlisted{registry: r, realm: realm}
	err := r.transact(ctx, func(ctx context.Context, tx pgx.Tx) error {
		local := tx.Conn().PgConn().Conn().LocalAddr()
		return tx.QueryRow(ctx, enlist, realm, p.Role, p.Host, p.PID, reachable(p.Address, local), reachable(p.Admin, local), p.Capacity, p.Maps, r.config.ProcessLease, p.Durable, p.Release, p.Settings, p.Template, r.unspent()).Scan(&e.id)
	})
	if err != nil {
		return nil, err
	}
	return e, nil
}

// reachable is where others reach what listens on an address, which may be all of the host, if they reach the host at the local end of a connection:
// on loopback if that is no TCP connection.
func reachable(address string, local net.Addr) string {
	listens, err := netip.ParseAddrPort(address)
	if err != nil || !listens.Addr().IsUnspecified() {
		return address // a name, or none
	}
	host := netip.AddrFrom4([4]byte{127, 0, 0, 1})
	if tcp, ok := local.(*net.TCPAddr); ok {
		host = tcp.AddrPort().Addr().Unmap()
	}
	return netip.AddrPortFrom(host, listens.Port()).String()
}

// As of gateways, a lease is no longer than when it begins unless the clock of the database has gone back.
const renewProcess = `WITH shortened AS (UPDATE processes SET until = clock_timestamp() + $2
		WHERE id IN (SELECT id FROM processes WHERE id <> $1 AND until > clock_timestamp() + $2 FOR UPDATE SKIP LOCKED))
	UPDATE processes SET until = now() + $2, load = $3, steady = CASE WHEN until > now() AND steady <= now() THEN steady ELSE now() END
	WHERE id = $1 RETURNING draining, ending`

// renewTime bounds a call of which others depend on the lease: one that hangs leaves time for another.
func (e *Enlisted) renewTime(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, e.registry.config.ProcessLease/3)
}

// unspent is what the lease of a process still has when it has not been renewed for a third of it, as long as a call for that may take: from then on the process is silent.
func (r *Registry) unspent() time.Duration { return r.config.ProcessLease - r.config.ProcessLease/3 }

// Renew begins the lease anew, or fails within a third of it. The error is ErrReplaced if the process is not enlisted any more.
func (e *Enlisted) Renew(ctx context.Context, load float32) (draining bool, err error) {
	ctx, cancel := e.renewTime(ctx)
	defer cancel()
	err = e.registry.call(ctx, func(ctx context.Context, q querier) error {
		draining, err = e.renewed(q.QueryRow(ctx, renewProcess, e.id, e.registry.config.ProcessLease, load))
		return err
	})
	return draining, err
}

// renewed reads what renewProcess returns.
func (e *Enlisted) renewed(row pgx.Row) (draining bool, err error) {
	var ending bool
	err = row.Scan(&draining, &ending)
	if errors.Is(err, pgx.ErrNoRows) {
		err = ErrReplaced
	}
	e.ending.Store(ending)
	return draining, err
}

const leaveProcess = `WITH gone AS (DELETE FROM processes WHERE id = $1 RETURNING id), followed AS (DELETE FROM standbys WHERE worker = $1)
	UPDATE shards SET worker = NULL, state = 'free', tick = 0, players = 0 FROM gone WHERE worker = gone.id`

// Leave ends the lease. Shards of the process are free.
func (e *Enlisted) Leave(ctx context.Context) error {
	return e.registry.transact(ctx, func(ctx context.Context, tx pgx.Tx) error {
		_, err := tx.Exec(ctx, leaveProcess, e.id)
		return err
	})
}

const listProcesses = `SELECT id, role, host, pid, address, admin, capacity, draining, load, leads, maps, durable, release, settings, template, superseded,
	until <= now() + $2 FROM processes
	WHERE realm = $1 AND until > now() ORDER BY role, id`

// Processes lists the processes of a realm whose lease is not over, by role and ID.
func (r *Registry) Processes(ctx context.Context, realm string) (list []Process, err error) {
	err = r.call(ctx, func(ctx context.Context, q querier) error {
		rows, err := q.Query(ctx, listProcesses, realm, r.unspent())
		if err == nil {
			list, err = collect[Process](rows)
		}
		return err
	})
	return list, err
}

// collect reads rows whose columns are the fields of T.
func collect[T any](rows pgx.Rows) ([]T, error) {
	return pgx.CollectRows(rows, pgx.RowToStructByPos[T])
}

const undrain = `UPDATE processes SET draining = false WHERE realm = $1 AND id = $2 AND role = 'worker' AND until > now() AND draining AND NOT ending`

// Undrain has a worker that drains be given shards again. The error is ErrReplaced if there is no such worker that drains, or it is to end.
func (r *Registry) Undrain(ctx context.Context, realm string, worker uint64) error {
	return r.changeWorker(ctx, undrain, realm, worker)
}

const drain = `UPDATE processes SET draining = true WHERE realm = $1 AND id = $2 AND role = 'worker' AND until > now()`

// Drain has the shards of a worker given to others, and no more to it. The error is ErrReplaced if there is no such worker.
func (r *Registry) Drain(ctx context.Context, realm string, worker uint64) error {
	return r.changeWorker(ctx, drain, realm, worker)
}

// changeWorker executes a statement about a worker. The error is ErrReplaced if it changes none.
func (r *Registry) changeWorker(ctx context.Context, statement, realm string, worker uint64) error {
	return r.transact(ctx, func(ctx context.Context, tx pgx.Tx) error {
		done, err := tx.Exec(ctx, statement, realm, worker)
		if err == nil && done.RowsAffected() == 0 {
			err = ErrReplaced
		}
		return err
	})
}

// Accounts are of all realms, so one secret is; before there were several, each realm had its own.
const keepSecret = `INSERT INTO secrets (realm, bytes) VALUES ('', coalesce((SELECT bytes FROM secrets ORDER BY realm LIMIT 1), $1))
	ON CONFLICT (realm) DO UPDATE SET bytes = secrets.bytes RETURNING bytes`

// Secret is what all processes that serve logins make the salts of accounts with that do not exist. It is the fresh one if there is none yet.
func (r *Registry) Secret(ctx context.Context, fresh []byte) (kept []byte, err error) {
	err = r.transact(ctx, func(ctx context.Context, tx pgx.Tx) error {
		return tx.QueryRow(ctx, keepSecret, fresh).Scan(&kept)
	})
	return kept, err
}

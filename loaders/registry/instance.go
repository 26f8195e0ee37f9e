package registry

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
)

// An Entry is a character that is to enter an instance through a gateway.
type Entry struct {
	Map     uint32
	GUID    uint64
	Account uint32
	Gateway uint32
	Visit   uint64 // another number for each through that gateway, ascending also over its processes
}

// A Chance is what decides whether a character may enter an instance.
type Chance struct {
	Number    uint32 // of the instance that it is bound to; 0 if there is none
	Inside    int    // other characters in that, or on their way
	Instances int    // of the realm
	Visited   int    // different instances that the account has entered in the last hour
	Again     bool   // Number is one of those
}

// An Instance is one of a map.
type Instance struct {
	Number, Map uint32
	Bound       int           // characters
	Inside      int           // characters in it, or on their way, as gateways say
	Empty       time.Duration // since when there is none; 0 while there is one, or it is not known
	State       string        // of its shard
}

// insideTime is how long a character counts as inside that no gateway has said again to be: longer than a restart of the bus takes.
const insideTime = 15 * time.Second

// instanceLock is the class of the advisory lock under which instances of a realm are made, bound and removed: "inst" in ASCII.
const instanceLock = 0x696e7374

const (
	lockInstances = `SELECT pg_advisory_xact_lock($1, hashtext($2))`
	readChance    = `WITH mine AS (SELECT number FROM binds WHERE realm = $1 AND guid = $2 AND map = $3)
		SELECT coalesce((SELECT number FROM mine), 0),
			(SELECT count(DISTINCT guid) FROM inside WHERE realm = $1 AND number = (SELECT number FROM mine) AND until > now() AND guid <> $2),
			(SELECT count(*) FROM instances WHERE realm = $1),
			(SELECT count(*) FROM visits WHERE realm = $1 AND account = $4 AND entered > now() - interval '1 hour'),
			EXISTS (SELECT FROM visits WHERE realm = $1 AND account = $4 AND entered > now() - interval '1 hour' AND number = (SELECT number FROM mine))`
	makeInstance = `INSERT INTO instances (realm, number, map, since) VALUES ($1, nextval('instance_numbers'), $2, now()) RETURNING number`
	makeShard    = `INSERT INTO shards (realm, map, instance, epoch, state, since) VALUES ($1, $2, $3, 0, 'free', now())`
	bind         = `INSERT INTO binds (realm, guid, map, number) VALUES ($1, $2, $3, $4) ON CONFLICT (realm, guid, map) DO UPDATE SET number = excluded.number`
	goInside     = `INSERT INTO inside (realm, gateway, visit, guid, number, until) VALUES ($1, $2, $3, $4, $5, now() + $6)
		ON CONFLICT (realm, gateway, visit) DO UPDATE SET until = excluded.until, number = excluded.number`
	noteVisit = `INSERT INTO visits (realm, account, number, entered) VALUES ($1, $2, $3, now()) ON CONFLICT (realm, account, number) DO UPDATE SET entered = now()`
	notEmpty  = `UPDATE instances SET emptied = NULL WHERE realm = $1 AND number = $2`
)

// change runs f as a transaction in which nothing else changes the instances of a realm.
func (r *Registry) change(ctx context.Context, realm string, f func(context.Context, pgx.Tx) error) error {
	return r.transact(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, lockInstances, instanceLock, realm); err != nil {
			return err
		}
		return f(ctx, tx)
	})
}

// EnterInstance finds the instance that a character is bound to, or makes one and its shard, which has no worker yet, and binds the character to it, and
// notes that it is inside. It may be called again for the same entry. The error is that of decide, which is called with what there is and changes
// nothing if it fails, or of the database.
func (r *Registry) EnterInstance(ctx context.Context, realm string, e Entry, decide func(Chance) error) (number uint32, made bool, err error) {
	var refused error
	err = r.change(ctx, realm, func(ctx context.Context, tx pgx.Tx) error {
		var c Chance
		if err := tx.QueryRow(ctx, readChance, realm, int64(e.GUID), e.Map, e.Account).Scan(&c.Number, &c.Inside, &c.Instances, &c.Visited, &c.Again); err != nil {
			return err
		}
		if refused = decide(c); refused != nil {
			return nil
		}
		number = c.Number
		if made = number == 0; made {
			if err := tx.QueryRow(ctx, makeInstance, realm, e.Map).Scan(&number); err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, makeShard, realm, e.Map, number); err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, bind, realm, int64(e.GUID), e.Map, number); err != nil {
				return err
			}
		}
		if _, err := tx.Exec(ctx, goInside, realm, e.Gateway, int64(e.Visit), int64(e.GUID), number, insideTime); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, noteVisit, realm, e.Account, number); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, notEmpty, realm, number)
		return err
	})
	if err == nil {
		err = refused
	}
	if err != nil {
		return 0, false, err
	}
	return number, made, nil
}

// A Visitor is a character in an instance, or on its way.
type Visitor struct {
	Visit  uint64 // of its Entry
	GUID   uint64
	Number uint32 // of the instance
}

const (
	goOutside  = `DELETE FROM inside WHERE realm = $1 AND gateway = $2 AND visit <= $3 AND visit <> ALL ($4::bigint[])`
	stayInside = `INSERT INTO inside (realm, gateway, visit, guid, number, until)
		SELECT $1, $2, v.visit, v.guid, v.number, now() + $6 FROM unnest($3::bigint[], $4::bigint[], $5::bigint[]) AS v (visit, guid, number)
		JOIN instances i ON i.realm = $1 AND i.number = v.number
		ON CONFLICT (realm, gateway, visit) DO UPDATE SET until = excluded.until`
)

// NoteInside has exactly those characters be inside that a gateway says, of all that have entered through it with a number up to newest.
func (r *Registry) NoteInside(ctx context.Context, realm string, gateway uint32, newest uint64, all []Visitor) error {
	visits, guids, numbers := make([]int64, len(all)), make([]int64, len(all)), make([]int64, len(all))
	for i, v := range all {
		visits[i], guids[i], numbers[i] = int64(v.Visit), int64(v.GUID), int64(v.Number)
	}
	return r.change(ctx, realm, func(ctx context.Context, tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, goOutside, realm, gateway, int64(newest), visits); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, stayInside, realm, gateway, visits, guids, numbers, insideTime)
		return err
	})
}

// What has players by what its worker says is not empty, whatever gateways say: their gateway has ended, and they are still in the world.
const (
	isEmpty = `NOT EXISTS (SELECT FROM inside n WHERE n.realm = i.realm AND n.number = i.number AND n.until > now())
		AND NOT EXISTS (SELECT FROM shards s WHERE s.realm = i.realm AND s.map = i.map AND s.instance = i.number AND s.players > 0)`
	noteEmpty    = `UPDATE instances i SET emptied = CASE WHEN ` + isEmpty + ` THEN now() END WHERE realm = $1 AND (emptied IS NULL) = (` + isEmpty + `)`
	removeEmpty  = `DELETE FROM instances i WHERE realm = $1 AND emptied <= now() - $2::interval AND ` + isEmpty + ` RETURNING number, map`
	removeShards = `DELETE FROM shards WHERE realm = $1 AND instance = ANY ($2::bigint[])`
	forgetInside = `DELETE FROM inside WHERE realm = $1 AND until <= now()`
	forgetVisits = `DELETE FROM visits WHERE realm = $1 AND entered <= now() - interval '1 hour'`
)

// RemoveEmptyInstances removes the instances of a realm that have been empty for so long, with their shards, and returns them. Workers end worlds whose shard is gone.
func (r *Registry) RemoveEmptyInstances(ctx context.Context, realm string, empty time.Duration) (removed []Instance, err error) {
	err = r.change(ctx, realm, func(ctx context.Context, tx pgx.Tx) error {
		for _, q := range []string{noteEmpty, forgetInside, forgetVisits} {
			if _, err := tx.Exec(ctx, q, realm); err != nil {
				return err
			}
		}
		rows, err := tx.Query(ctx, removeEmpty, realm, empty)
		if err != nil {
			return err
		}
		removed, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (i Instance, err error) {
			return i, row.Scan(&i.Number, &i.Map)
		})
		if err != nil || len(removed) == 0 {
			return err
		}
		numbers := make([]int64, len(removed))
		for i := range removed {
			numbers[i] = int64(removed[i].Number)
		}
		_, err = tx.Exec(ctx, removeShards, realm, numbers)
		return err
	})
	return removed, err
}

const listInstances = `SELECT number, map, (SELECT count(*) FROM binds b WHERE b.realm = i.realm AND b.number = i.number),
	(SELECT count(DISTINCT guid) FROM inside n WHERE n.realm = i.realm AND n.number = i.number AND until > now()),
	coalesce(now() - emptied, interval '0'), coalesce((SELECT state FROM shards s WHERE s.realm = i.realm AND s.map = i.map AND s.instance = i.number), 'free')
	FROM instances i WHERE realm = $1 `

// Instances lists those of a realm, by number.
func (r *Registry) Instances(ctx context.Context, realm string) (list []Instance, err error) {
	return r.instances(ctx, listInstances+`ORDER BY number`, realm)
}

// BoundInstances lists those that a character is bound to, by number.
func (r *Registry) BoundInstances(ctx context.Context, realm string, guid uint64) (list []Instance, err error) {
	return r.instances(ctx, listInstances+`AND EXISTS (SELECT FROM binds b WHERE b.realm = i.realm AND b.number = i.number AND b.guid = $2) ORDER BY number`, realm, int64(guid))
}

func (r *Registry) instances(ctx context.Context, query string, args ...any) (list []Instance, err error) {
	err = r.transact(ctx, func(ctx context.Context, tx pgx.Tx) error {
		rows, err := tx.Query(ctx, query, args...)
		if err == nil {
			list, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Instance])
		}
		return err
	})
	return list, err
}

const unbind = `DELETE FROM binds WHERE realm = $1 AND guid = $2 AND map <> $3 AND ($4 OR map = $5)`

// UnbindInstances unbinds a character from its instance of a map, or from all of them, but from that of the map where it is, and returns how many there were.
func (r *Registry) UnbindInstances(ctx context.Context, realm string, guid uint64, id uint32, all bool, where uint32) (n int, err error) {
	err = r.change(ctx, realm, func(ctx context.Context, tx pgx.Tx) error {
		done, err := tx.Exec(ctx, unbind, realm, int64(guid), where, all, id)
		n = int(done.RowsAffected())
		return err
	})
	return n, err
}

// ErrBound is returned for an instance that has as many characters bound to it as it may have.
var ErrBound = errors.New("registry: the instance takes no more characters")

const findInstance = `SELECT map, (SELECT count(*) FROM binds b WHERE b.realm = i.realm AND b.number = i.number AND b.guid <> $3) FROM instances i WHERE realm = $1 AND number = $2`

// BindInstance binds a character to an instance, in place of its own of the same map, if that has fewer than most others. The error is ErrOlder if
// there is none of that number, and ErrBound if it has too many.
func (r *Registry) BindInstance(ctx context.Context, realm string, guid uint64, number uint32, most int) error {
	return r.change(ctx, realm, func(ctx context.Context, tx pgx.Tx) error {
		var id uint32
		var bound int
		switch err := tx.QueryRow(ctx, findInstance, realm, number, int64(guid)).Scan(&id, &bound); {
		case errors.Is(err, pgx.ErrNoRows):
			return ErrOlder
		case err != nil:
			return err
		case bound >= most:
			return ErrBound
		}
		_, err := tx.Exec(ctx, bind, realm, int64(guid), id, number)
		return err
	})
}

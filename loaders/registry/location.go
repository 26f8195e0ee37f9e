package registry

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// A Location is in which world the character of a session is, as its gateway knows it.
type Location struct {
	Account       uint32
	Fence         uint64 // of the session's claim
	Map, Instance uint32
	Out           bool // it is in no world: Map and Instance do not count
}

// Only what the process has claimed is changed, by the claim that it knows. Rows that something else changes at the moment are left out: it may be a claim, and
// nothing waits here with other rows locked.
const locate = `WITH free AS (SELECT account FROM sessions WHERE account = ANY ($1::bigint[]) FOR UPDATE SKIP LOCKED)
	UPDATE sessions s SET map = nullif(l.map, -1), instance = CASE WHEN l.map >= 0 THEN l.instance END, located = s.fence
	FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) AS l (account, fence, map, instance)
	WHERE s.account = l.account AND s.fence = l.fence AND s.gateway = $5 AND s.account IN (SELECT account FROM free)
	AND EXISTS (SELECT FROM gateways WHERE number = $5 AND life = $6)
	RETURNING s.account`

// Locate says in which worlds characters of this gateway are, all in one statement, and returns the accounts of which it was noted: not those whose claim is
// another by now, or was given back, nor those that are being changed at the moment.
func (m *Member) Locate(ctx context.Context, all []Location) (noted []uint32, err error) {
	accounts, fences, maps, instances := make([]int64, len(all)), make([]int64, len(all)), make([]int64, len(all)), make([]int64, len(all))
	for i, l := range all {
		accounts[i], fences[i], maps[i], instances[i] = int64(l.Account), int64(l.Fence), int64(l.Map), int64(l.Instance)
		if l.Out {
			maps[i] = -1
		}
	}
	err = m.registry.transact(ctx, func(ctx context.Context, tx pgx.Tx) error {
		var b pgx.Batch
		b.Queue(looseCommit) // what is lost in a crash of the database is said again
		b.Queue(locate, accounts, fences, maps, instances, m.number, m.life).Query(func(rows pgx.Rows) error {
			noted, err = pgx.CollectRows(rows, pgx.RowTo[uint32])
			return err
		})
		return tx.SendBatch(ctx, &b).Close()
	})
	return noted, err
}

// A PlayerSession is an account that plays through a gateway, and the world that its character is in.
type PlayerSession struct {
	Account       uint32
	AccountName   string // "" if there is no such account any more
	GUID          uint64 // of the character
	Character     string // its name; "" if there is no such character any more
	Gateway       uint32
	InWorld       bool // as the gateway said last: it is not on its way in, out, or to another world
	Map, Instance uint32
}

const (
	sessionsOfRealm = `SELECT s.account, coalesce(a.name, ''), coalesce(s.guid, 0), coalesce(c.name, ''), s.gateway, l.map IS NOT NULL, coalesce(l.map, 0), coalesce(l.instance, 0),
		count(*) OVER ()
		FROM sessions s JOIN gateways g ON g.number = s.gateway AND g.until > now() JOIN realms r ON r.number = g.realm AND r.name = $1
		LEFT JOIN LATERAL (SELECT s.map, s.instance WHERE s.located = s.fence) l ON true
		LEFT JOIN auth.accounts a ON a.id = s.account LEFT JOIN characters.characters c ON c.guid = s.guid AND c.account = s.account` // sessions has an index of accounts alone

	listPlayers = sessionsOfRealm + ` WHERE $2 = '' OR lower(c.name) = lower($2) ORDER BY s.account LIMIT $3`
	findPlayers = sessionsOfRealm + ` WHERE starts_with(lower(c.name), lower($2)) ORDER BY lower(c.name) LIMIT $3`
)

// Players lists the sessions of a realm whose gateway's lease is not over, by account: so many at most, and how many there are. With a name there is that of the character
// alone.
func (r *Registry) Players(ctx context.Context, realm, character string, most int) (list []PlayerSession, total int, err error) {
	return r.players(ctx, listPlayers, realm, character, most)
}

// FindPlayers lists those of the sessions of a realm whose character has a name that begins so, whatever the case of its letters, by name: so many at most, and
// how many there are. Its cost is that of all characters that have such a name, or of all sessions if that is less.
func (r *Registry) FindPlayers(ctx context.Context, realm, begins string, most int) (list []PlayerSession, total int, err error) {
	return r.players(ctx, findPlayers, realm, begins, most)
}

func (r *Registry) players(ctx context.Context, query string, args ...any) (list []PlayerSession, total int, err error) {
	err = r.call(ctx, func(ctx context.Context, q querier) error {
		rows, err := q.Query(ctx, query, args...)
		if err != nil {
			return err
		}
		var p PlayerSession
		_, err = pgx.ForEachRow(rows, []any{&p.Account, &p.AccountName, &p.GUID, &p.Character, &p.Gateway, &p.InWorld, &p.Map, &p.Instance, &total}, func() error {
			list = append(list, p)
			return nil
		})
		return err
	})
	return list, total, err
}

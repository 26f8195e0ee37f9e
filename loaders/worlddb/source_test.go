package worlddb

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// heldRow is a part of a row of the tables of the test below.
type heldRow struct {
	ID   int64  `column:"guid entry" key:""`
	Name string `column:"name" or:""`
}

// held is the rows of a table, as a source has them.
func held(ctx context.Context, s *Source, table string) (all string, err error) {
	err = Read(ctx, s, table, func(r *heldRow) error {
		all += fmt.Sprint(r.ID, r.Name, ";")
		return nil
	})
	return all, err
}

// A world is read as it was when it was opened: one that is imported meanwhile waits, and neither fails.
func TestOneMoment(t *testing.T) {
	url := cluster.URL(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c := Config{URL: url}
	world := func(guid int, name string) string {
		return write(t, "world.sql", fmt.Sprintf(`CREATE TABLE creature (guid int NOT NULL, id1 int, PRIMARY KEY (guid));
CREATE TABLE creature_template (entry int NOT NULL, name text, PRIMARY KEY (entry)); INSERT INTO creature VALUES (%d,1); INSERT INTO creature_template VALUES (1,'%s');`, guid, name))
	}
	mustImport(t, c, world(5, "old"))
	src, err := OpenSource(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	if got, err := held(ctx, src, "creature_template"); got != "1old;" || err != nil {
		t.Errorf("at first %q, %v", got, err)
	}
	if err := cluster.Do(url, "UPDATE world.creature SET guid = 7"); err != nil {
		t.Fatal(err)
	}
	c.Paths = []string{world(6, "new")}
	done := make(chan error, 1)
	go func() {
		_, err := Import(ctx, c)
		done <- err
	}()
	ended := false
	if err := serverPlace(url).with(ctx, func(conn *pgx.Conn) error {
		for waits := false; !waits && !ended; {
			select {
			case err := <-done:
				t.Errorf("the import did not wait: %v", err)
				ended = true
			default:
			}
			if err := conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND NOT granted)").Scan(&waits); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for table, want := range map[string]string{"creature": "5;", "creature_template": "1old;"} {
		if got, err := held(ctx, src, table); got != want || err != nil {
			t.Errorf("%s meanwhile: %q, %v, want %q", table, got, err, want)
		}
	}
	src.Close()
	if !ended {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	after, err := OpenSource(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	defer after.Close()
	if got, err := held(ctx, after, "creature"); got != "6;" || err != nil {
		t.Errorf("afterwards %q, %v", got, err)
	}
	if err := cluster.Do(url, "DROP TABLE world.creature_template"); err != nil {
		t.Fatal(err)
	}
	if _, err := held(ctx, after, "creature_template"); err == nil || !strings.Contains(err.Error(), "try again") {
		t.Errorf("a table that is gone: %v", err)
	}
}

// A number is the nearest one that an integer can be, on every architecture.
func TestIntegral(t *testing.T) {
	for v, want := range map[float64]int64{
		1.9: 1, -1.9: -1, 1e300: 9223372036854775807, -1e300: -9223372036854775808, math.Inf(1): 9223372036854775807, 0x1p62: 4611686018427387904,
	} {
		if got := integral(v); got != want {
			t.Errorf("%v is %d, want %d", v, got, want)
		}
	}
	if got := integral(math.NaN()); got != 0 {
		t.Errorf("NaN is %d", got)
	}
}

// A world is that of the moment when no import is about to take its place any more.
func TestMomentIsAfterAnImport(t *testing.T) {
	url := cluster.URL(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	mustImport(t, Config{URL: url}, write(t, "world.sql", "CREATE TABLE creature (guid int NOT NULL, id1 int, PRIMARY KEY (guid)); INSERT INTO creature VALUES (5,1);"))
	opened := make(chan *Source, 1)
	if err := serverPlace(url).with(ctx, func(conn *pgx.Conn) error {
		return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, "LOCK TABLE muster_world IN ACCESS EXCLUSIVE MODE"); err != nil {
				return err
			}
			go func() {
				src, err := OpenSource(ctx, url)
				if err != nil {
					t.Error(err)
				}
				opened <- src
			}()
			for waits := false; !waits; {
				if err := tx.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_locks WHERE mode = 'AccessShareLock' AND NOT granted)").Scan(&waits); err != nil {
					return err
				}
			}
			_, err := tx.Exec(ctx, "UPDATE creature SET guid = 6")
			return err
		})
	}); err != nil {
		t.Fatal(err)
	}
	src := <-opened
	if src == nil {
		return
	}
	defer src.Close()
	if got, err := held(ctx, src, "creature"); got != "6;" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

package realm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"muster/cmd/internal/storesnapshot"
	"muster/net/ops/admin"
)

// resets are the paths of the admin address for resets of the world and its snapshots:
//
//	GET    /api/world/snapshots        the snapshots
//	GET    /api/world/snapshots/{name} one of them, for muster serve --snapshot; it has what passwords are checked against
//	DELETE /api/world/snapshots/{name} forgets it
//	POST   /api/world/snapshot         {"name":"…"}: takes one of the accounts and characters, while no player is in a world
//	POST   /api/world/reset            {"snapshot":"…"}: closes all sessions, and begins anew with a snapshot; "" is the start
func (r *Realm) resets() []admin.Part {
	var parts []admin.Part
	for pattern, f := range map[string]func(*http.Request) (any, error){
		"GET /api/world/snapshots":           func(*http.Request) (any, error) { return snapshots{r.snapshots.List()}, nil },
		"DELETE /api/world/snapshots/{name}": func(q *http.Request) (any, error) { return struct{}{}, r.snapshots.Forget(q.PathValue("name")) },
		"POST /api/world/snapshot":           r.snapshot,
		"POST /api/world/reset":              r.reset,
	} {
		parts = append(parts, admin.Part{Pattern: pattern, Handler: r.resettable(func(w http.ResponseWriter, q *http.Request) error {
			answer, err := f(q)
			if err != nil {
				return err
			}
			w.Header().Set("Content-Type", "application/json")
			return json.NewEncoder(w).Encode(answer)
		})})
	}
	return append(parts, admin.Part{Pattern: "GET /api/world/snapshots/{name}", Handler: r.resettable(func(w http.ResponseWriter, q *http.Request) error {
		s, err := r.snapshots.Find(q.PathValue("name"))
		if err != nil {
			return err
		}
		w.Header().Set("Content-Type", "application/octet-stream")
		_, err = w.Write(s.Dump)
		return err
	})})
}

// snapshots is the answer to GET /api/world/snapshots.
type snapshots struct {
	Snapshots []*storesnapshot.Snapshot `json:"snapshots"`
}

// A conflict is why a request cannot be executed now, or on this server.
type conflict string

func (c conflict) Error() string { return string(c) }

// Conflicts.
const (
	errDurable   conflict = "only a server with --ephemeral is reset: what this one keeps is changed by muster store and muster account"
	errRecorded  conflict = "a recording is of one world from its start: a server with --record is not reset"
	errElsewhere conflict = "worlds in other processes are not reset: they end with muster worker"
	errResetting conflict = "another reset is not done yet"
	errEnding    conflict = "the server ends"
)

// errBody is the error of a request that is not the JSON that is wanted.
var errBody = errors.New(`the body is {"name":"…"} for a snapshot, {"snapshot":"…"} for a reset`)

// resettable answers requests about snapshots, if the server is one that can be reset.
func (r *Realm) resettable(answer func(http.ResponseWriter, *http.Request) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		var err error
		switch {
		case !r.config.Ephemeral:
			err = errDurable
		case r.config.Bus != "":
			err = errElsewhere
		case r.snapshots == nil:
			err = errRecorded
		default:
			err = answer(w, q)
		}
		status := http.StatusInternalServerError
		switch {
		case err == nil:
			return
		case errors.As(err, new(conflict)), errors.Is(err, storesnapshot.ErrFull), errors.Is(err, storesnapshot.ErrTooBig):
			status = http.StatusConflict
		case errors.Is(err, storesnapshot.ErrNone):
			status = http.StatusNotFound
		case errors.Is(err, storesnapshot.ErrName), errors.Is(err, errBody):
			status = http.StatusBadRequest
		}
		http.Error(w, err.Error(), status)
	})
}

// readOrder reads the body of a request into a value.
func readOrder(q *http.Request, into any) error {
	d := json.NewDecoder(io.LimitReader(q.Body, maxOrder))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return errBody
	}
	return nil
}

// maxOrder bounds the body of a request, in bytes.
const maxOrder = 1 << 10

// A snapshotOrder asks for a snapshot.
type snapshotOrder struct {
	Name string `json:"name" doc:"its name, of letters, digits, dots, hyphens and underscores; one of that name is replaced"`
}

// snapshot takes a snapshot. A player in a world is changed there, and stored when it leaves: so there must be none.
func (r *Realm) snapshot(q *http.Request) (any, error) {
	var order snapshotOrder
	if err := readOrder(q, &order); err != nil {
		return nil, err
	}
	if !storesnapshot.NamePattern.MatchString(order.Name) {
		return nil, storesnapshot.ErrName
	}
	if n := len(r.gate.OnlinePlayers()); n > 0 {
		return nil, conflict(fmt.Sprintf("%d players are in a world: a snapshot is of what is stored, and they are when they have left", n))
	}
	s, err := storesnapshot.Take(q.Context(), order.Name, r.store, storesnapshot.MaxBytes)
	if err == nil {
		err = r.snapshots.Keep(s)
	}
	return s, err
}

// A resetOrder asks for a reset.
type resetOrder struct {
	Snapshot string `json:"snapshot" doc:"the snapshot to begin with; an empty name is the start"`
}

// A resetDone is the answer to a reset.
type resetDone struct {
	*storesnapshot.Snapshot
	TookMs int64 `json:"took_ms"`
}

// reset makes another realm, has it take the place of this one, and returns when it accepts connections. If it cannot be made, this
// one goes on.
func (r *Realm) reset(q *http.Request) (any, error) {
	var order resetOrder
	if err := readOrder(q, &order); err != nil {
		return nil, err
	}
	if !r.snapshots.Busy.TryLock() {
		return nil, errResetting
	}
	defer r.snapshots.Busy.Unlock()
	began := time.Now()
	ctx := context.WithoutCancel(q.Context()) // which ends with this realm
	from, err := r.snapshots.Find(order.Snapshot)
	if err != nil {
		return nil, err
	}
	kept, err := from.Open(ctx)
	if err != nil {
		return nil, err
	}
	select { // what a realm does when it begins reads its settings
	case <-r.begun:
	case <-r.ended.Done():
		return nil, errEnding
	}
	r.config.changing.Lock() // until the next realm reads its settings again
	defer r.config.changing.Unlock()
	r.config.defs = r.Defs // which nothing changes
	next, err := New(r.config, kept, r.Log)
	if err != nil {
		return nil, err
	}
	next.socket, next.snapshots = r.socket, r.snapshots
	begun := make(chan struct{})
	select {
	case r.successors <- &successor{next, func() error { close(begun); return nil }}:
	case <-r.ended.Done():
		return nil, errEnding
	}
	select {
	case <-begun:
	case <-time.After(2 * resetTime):
		return nil, errEnding
	}
	took := time.Since(began).Round(time.Millisecond)
	r.Log.Info("the world begins anew", "snapshot", from.Name, "accounts", from.Accounts, "characters", from.Characters, "took", took)
	return resetDone{from, took.Milliseconds()}, nil
}

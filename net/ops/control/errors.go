package control

import (
	"context"
	"errors"
	"net/http"

	"muster/loaders/store"
	"muster/net/gateway"
	"muster/net/login/account"
	"muster/net/replication/inspect"
)

// An Error is the answer to a request that was not executed.
type Error struct {
	Text   string  `json:"error" doc:"what is wrong, for people"`
	Reason string  `json:"reason" doc:"the same for programs"`
	Values []Value `json:"values,omitempty" doc:"of a condition that did not hold in time, as they were last"`
	status int
}

func (e *Error) Error() string { return e.Text }

// malformed is the error of a request that cannot be read.
func malformed(text string) error {
	return &Error{Text: text, Reason: "malformed", status: http.StatusBadRequest}
}

// Errors of requests.
var (
	errOffline = &Error{Text: "no character of that name is in a world", Reason: "offline", status: http.StatusNotFound}
	errUnknown = &Error{Text: "there is no character of that name", Reason: "no_character", status: http.StatusNotFound}
)

// reasons are the errors of others.
var reasons = []struct {
	err    error
	reason string
	status int
}{
	{account.ErrUnknown, "no_account", http.StatusNotFound},
	{account.ErrExists, "account_exists", http.StatusConflict},
	{account.ErrName, "bad_account", http.StatusBadRequest},
	{account.ErrPassword, "bad_password", http.StatusBadRequest},
	{account.ErrLevel, "bad_level", http.StatusBadRequest},
	{account.ErrUntil, "bad_time", http.StatusBadRequest},
	{account.ErrReason, "bad_reason", http.StatusBadRequest},
	{store.ErrNameTaken, "name_taken", http.StatusConflict},
	{store.ErrTooMany, "too_many", http.StatusConflict},
	{store.ErrFull, "full", http.StatusConflict},
	{store.ErrRaceClass, "bad_race_class", http.StatusBadRequest},
	{store.ErrGender, "bad_gender", http.StatusBadRequest},
	{store.ErrNameMissing, "bad_name", http.StatusBadRequest},
	{store.ErrNameLetters, "bad_name", http.StatusBadRequest},
	{store.ErrNameShort, "bad_name", http.StatusBadRequest},
	{store.ErrNameLong, "bad_name", http.StatusBadRequest},
	{store.ErrNotFound, "not_found", http.StatusNotFound},
	{store.ErrBusy, "store_busy", http.StatusServiceUnavailable},
	{gateway.ErrNoPlayer, "offline", http.StatusNotFound},
	{gateway.ErrSilent, "world_silent", http.StatusGatewayTimeout},
	{inspect.ErrBusy, "busy", http.StatusTooManyRequests},
	{context.DeadlineExceeded, "timeout", http.StatusGatewayTimeout},
	{context.Canceled, "ended", http.StatusServiceUnavailable},
}

// refused is the name under which a reason is counted.
func refused(reason string) string { return "control." + reason }

// counters are the names of all that is counted.
func counters() (names []string) {
	for _, reason := range []string{"internal", "malformed", "offline", "no_character", "no_map", "no_creature", "refused", "changed", "busy", "stopped", "gap", "limit"} {
		names = append(names, refused(reason))
	}
	for _, r := range reasons {
		names = append(names, refused(r.reason))
	}
	return names
}

// fail answers with an error, and counts it.
func (c *Control) fail(w http.ResponseWriter, err error) {
	e := &Error{Text: err.Error(), Reason: "internal", status: http.StatusInternalServerError}
	if !errors.As(err, &e) {
		for _, r := range reasons {
			if errors.Is(err, r.err) {
				e.Reason, e.status = r.reason, r.status
				break
			}
		}
	}
	c.config.Metric.Count(refused(e.Reason))
	writeJSON(w, e.status, e)
}

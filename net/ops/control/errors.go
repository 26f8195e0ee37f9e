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
	Text   string `json:"error" doc:"what is wrong, for people"`
	Reason string `json:"reason" doc:"the same for programs"`
	status int
}

func (e *Error) Error() string { return e.Text }

// malformed is the error of a request that cannot be read.
func malformed(text string) error { return &Error{text, "malformed", http.StatusBadRequest} }

// Errors of requests.
var (
	errOffline = &Error{"no character of that name is in a world", "offline", http.StatusNotFound}
	errUnknown = &Error{"there is no character of that name", "no_character", http.StatusNotFound}
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
}

// fail answers with an error.
func fail(w http.ResponseWriter, err error) {
	e := &Error{err.Error(), "internal", http.StatusInternalServerError}
	if !errors.As(err, &e) {
		for _, r := range reasons {
			if errors.Is(err, r.err) {
				e.Reason, e.status = r.reason, r.status
				break
			}
		}
	}
	writeJSON(w, e.status, e)
}

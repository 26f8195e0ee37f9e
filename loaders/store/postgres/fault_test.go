package postgres

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"muster/loaders/store"
)

func TestFault(t *testing.T) {
	for _, err := range []error{
		&pgconn.PgError{Code: "40001"}, &pgconn.PgError{Code: "40P01"}, &pgconn.PgError{Code: "08006"},
		&pgconn.PgError{Code: "53300"}, &pgconn.PgError{Code: "57P01"}, &pgconn.PgError{Code: "57014"},
		io.ErrUnexpectedEOF, fmt.Errorf("receive: %w", io.EOF),
	} {
		if got := fault(err); !errors.Is(got, store.ErrBusy) || !errors.Is(got, err) {
			t.Errorf("%v is %v, want it to be %v too", err, got, store.ErrBusy)
		}
	}
	for _, err := range []error{
		nil, &pgconn.PgError{}, &pgconn.PgError{Code: "23505"}, &pgconn.PgError{Code: "42P01"},
		&pgconn.PgError{Code: "28P01"}, store.ErrNotFound, store.ErrNameTaken, errors.New("another"),
	} {
		if got := fault(err); got != err {
			t.Errorf("%v is %v", err, got)
		}
	}
}

package postgres

import (
	"errors"
	"fmt"
	"io"
	"net"
	"slices"

	"github.com/jackc/pgx/v5/pgconn"

	"muster/loaders/store"
)

// Classes and codes of errors that a retry may not meet.
//
// Source: PostgreSQL documentation, appendix A, "PostgreSQL Error Codes".
var (
	busyClasses = []string{
		"08", // connection exception
		"53", // insufficient resources: connections, memory, disk
	}
	busyCodes = []string{
		"25006", // read only transaction: this server has become a standby
		"40001", // serialization failure
		"40P01", // deadlock
		"55P03", // lock not available
		"57014", // query cancelled: by statement_timeout
		"57P01", // admin shutdown
		"57P02", // crash shutdown
		"57P03", // cannot connect now: starting, or recovering
		"57P05", // idle session timeout
	}
)

// fault returns an error of pgx as a database.DB does.
func fault(err error) error {
	if err == nil || !Busy(err) {
		return err
	}
	return fmt.Errorf("%w: %w", store.ErrBusy, err)
}

// Busy reports whether an error of pgx says that the server is unavailable, or too slow, or has asked for a retry.
func Busy(err error) bool {
	if e := (*pgconn.PgError)(nil); errors.As(err, &e) {
		return len(e.Code) == 5 && slices.Contains(busyClasses, e.Code[:2]) || slices.Contains(busyCodes, e.Code)
	}
	var (
		connecting *pgconn.ConnectError
		network    net.Error
	)
	return errors.As(err, &connecting) || errors.As(err, &network) || errors.Is(err, io.EOF) ||
		errors.Is(err, io.ErrUnexpectedEOF) || pgconn.SafeToRetry(err) || pgconn.Timeout(err)
}

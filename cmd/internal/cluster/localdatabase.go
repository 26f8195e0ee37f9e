package cluster

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"muster/internal/pgtest"
)

// localDatabase is what --database is for a server that the cluster starts.
const localDatabase = "local"

// startDatabase starts PostgreSQL as it is installed, and has the cluster use it. End ends it. Its data are in the data folder, unless nothing is to be kept.
func (v *Config) startDatabase(ctx context.Context, log *slog.Logger) (end func() error, err error) {
	if v.Ephemeral {
		return v.startTemporary(ctx, log)
	}
	if v.Data == "" {
		return nil, errors.New("--database local needs --data or --ephemeral, as there is no home folder")
	}
	server, err := pgtest.Keep(filepath.Join(v.Data, "postgresql"))
	if err != nil {
		return nil, fmt.Errorf("PostgreSQL, which --database names elsewhere and --ephemeral does without: %w", err)
	}
	v.Database = server.Kept()
	log.Info("PostgreSQL", "at", v.Database, "data", v.Data)
	return server.Stop, nil
}

// startTemporary does so with a database and a data folder that are new. Remove ends it, and removes both.
func (v *Config) startTemporary(ctx context.Context, log *slog.Logger) (remove func() error, err error) {
	server, err := pgtest.Start()
	if err != nil {
		return nil, err
	}
	folder := ""
	remove = func() error { return errors.Join(os.RemoveAll(folder), server.Stop()) }
	if v.Database, err = server.Database(ctx); err == nil {
		folder, err = os.MkdirTemp("", "muster-cluster-")
	}
	if err != nil {
		return nil, errors.Join(err, remove())
	}
	v.Data = folder
	log.Info("PostgreSQL", "at", v.Database, "data", folder)
	return remove, nil
}

package cluster

import (
	"context"
	"errors"
	"log/slog"
	"os"

	"muster/internal/pgtest"
)

// localDatabase is what --database is for a server that the cluster starts.
const localDatabase = "local"

// startDatabase starts PostgreSQL as it is installed, and has the cluster use it, with a data folder that is as new as the database. Remove ends it, and removes both.
func (v *Config) startDatabase(ctx context.Context, log *slog.Logger) (remove func() error, err error) {
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

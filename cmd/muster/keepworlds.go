package main

import (
	"muster/cmd/internal/storage"
	"muster/cmd/internal/worldset"
	"muster/net/gateway"
	"muster/net/replication/worldlog"
)

// keepWorlds has the worlds kept, if that is wanted. If not, those that are kept are set aside: they are older than what
// becomes of their players from now on.
func (r *realm) keepWorlds(saver gateway.Saver) (err error) {
	switch {
	case r.config.Ephemeral:
		return nil
	case r.config.Durable == "world":
		r.Logs, err = worldset.NewLogs(storage.WorldFolder(r.config.Data, r.config.Database), r.store, saver, r.Metric, r.Log)
		return err
	}
	for _, m := range r.AllMaps() {
		to, err := worldlog.SetAside(storage.WorldFolder(r.config.Data, r.config.Database), m.ID)
		if err != nil {
			return err
		}
		if to != "" {
			r.Log.Info("a world that was kept before is not continued without --durable world", "map", m.ID, "in", to)
		}
	}
	return nil
}

package main

import (
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
		r.logs, err = newWorldLogs(worldFolder(r.config.Data, r.config.Database), r.store, saver, r.metric, r.log)
		return err
	}
	for _, m := range r.allMaps() {
		to, err := worldlog.SetAside(worldFolder(r.config.Data, r.config.Database), m.ID)
		if err != nil {
			return err
		}
		if to != "" {
			r.log.Info("a world that was kept before is not continued without --durable world", "map", m.ID, "in", to)
		}
	}
	return nil
}

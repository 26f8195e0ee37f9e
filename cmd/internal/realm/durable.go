package realm

import (
	"fmt"

	"muster/cmd/internal/instancelog"
	"muster/cmd/internal/worldset"
	"muster/net/gateway"
	"muster/net/replication/worldlog"
)

// checkDurable refuses to keep worlds that are not continued.
func (v *Config) checkDurable() error {
	if v.Durable != "world" {
		return nil
	}
	for flag, given := range map[string]bool{
		"--ephemeral": v.Ephemeral, "--record": v.Record != "", "--bus": v.Bus != "", "--clock virtual": v.Clock == "virtual",
	} {
		if given {
			return fmt.Errorf("--durable world and %s exclude each other", flag)
		}
	}
	return nil
}

// workers is how many goroutines of the gateway call the store; 0 is the gateway's default. A store on a disk
// makes one commit of what waits at the same time, so they are many more than it has connections.
func (v *Config) workers() int {
	if v.Ephemeral {
		return 0
	}
	return 32
}

// keepWorlds has the worlds kept, if that is wanted. If not, those that are kept are set aside: they are older than what
// becomes of their players from now on.
func (r *Realm) keepWorlds(saver gateway.Saver) (err error) {
	switch {
	case r.config.Ephemeral:
		return nil
	case r.config.Durable == "world":
		r.Logs, err = worldset.NewLogs(r.worldFolder(), r.store, saver, r.Metric, r.Log)
		return err
	}
	for _, m := range r.AllMaps() {
		to, err := worldlog.SetAside(r.worldFolder(), worldlog.Replaced, m.ID)
		if err != nil {
			return err
		}
		if to != "" {
			r.Log.Info("a world that was kept before is not continued without --durable world", "map", m.ID, "in", to)
		}
	}
	to, err := instancelog.SetAside(r.worldFolder(), worldlog.Replaced)
	if to != "" {
		r.Log.Info("instances that were kept before are not continued without --durable world", "in", to)
	}
	return err
}

package worldset

import (
	"errors"
	"slices"

	"muster/net/replication/recording"
	"muster/net/replication/worldlog"
	"muster/systems"
)

// ContinueInstance makes the world of an instance as its log has it, with the rate of experience that it had, and as anew if there is none, or none of use.
func (k *Logs) ContinueInstance(number uint32, h *recording.Header, fresh func() *systems.World) (*systems.World, *worldlog.Log, error) {
	found, err := worldlog.Open(worldlog.InstanceFolder(k.folder, number), h.Map)
	switch {
	case err != nil: // newWorld says what is wrong
	case found == nil:
		k.logOf(number).Error("nothing is kept of the world, which begins anew", "map", h.Map)
	default:
		h.XPRate = found.Header.XPRate
	}
	return k.newWorld(number, h, fresh)
}

// NewInstance begins the log of an instance whose world is as it was made.
func (k *Logs) NewInstance(number uint32, h *recording.Header, world *systems.World) (*worldlog.Log, error) {
	if err := worldlog.RemoveInstance(k.folder, number); err != nil { // of one that could not be removed
		return nil, err
	}
	return k.beginLog(number, h, world, 0)
}

// DiscardInstance ends the log of an instance whose world has stopped, and removes what is kept of it.
func (k *Logs) DiscardInstance(number uint32, log *worldlog.Log) error {
	k.mu.Lock()
	k.logs = slices.DeleteFunc(k.logs, func(l *worldlog.Log) bool { return l == log })
	k.mu.Unlock()
	return errors.Join(log.Discard(), worldlog.RemoveInstance(k.folder, number))
}

// SetInstanceAside moves what is kept of an instance that does not go on, and returns where to.
func (k *Logs) SetInstanceAside(number uint32) (to string, err error) { return k.setAside(number, 0) }

package update_test

import (
	"testing"

	"muster/internal/pin"
	"muster/net/protocol/update"
)

func TestPins(t *testing.T) { pin.Compare(t, pins) }

// Each exported constant of the package is pinned, or is listed as one that never reaches the wire.
func TestAllPinned(t *testing.T) { pin.Complete(t) }

// _ are the constants that never reach the wire; TestAllPinned reads their names from this file.
var _ = []any{
	update.MaxComponents,
	update.Creature,
	update.Player,
	update.Item,
	update.Container,
	update.Corpse,
	update.GameObject,
	update.Verify,
}

// pins are the constants of the wire.
var pins = []pin.Pin{
	// Source: docs/protocol.md 4.2.
	{"block type", update.Values, 0},
	{"block type", update.Movement, 1},
	{"block type", update.Create, 2},
	{"block type", update.Create2, 3},
	{"block type", update.OutOfRange, 4},
	{"block type", update.NearObjects, 5},

	// Source: docs/protocol.md 4.2, movement block.
	{"update flags", update.FlagSelf, 0x1},
	{"update flags", update.FlagTransport, 0x2},
	{"update flags", update.FlagTarget, 0x4},
	{"update flags", update.FlagUnknown, 0x8},
	{"update flags", update.FlagLowGUID, 0x10},
	{"update flags", update.FlagLiving, 0x20},
	{"update flags", update.FlagStationary, 0x40},
	{"update flags", update.FlagVehicle, 0x80},
	{"update flags", update.FlagPosition, 0x100},
	{"update flags", update.FlagRotation, 0x200},
	{"update flags", update.FlagNoBirthAnim, 0x400},

	// Source: docs/protocol.md 2.1 and 4.2, compression: cmangos' limit.
	{"longest payload", update.MaxInflated, 32766},
}

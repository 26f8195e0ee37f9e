package console

import (
	"context"
	"math"
)

// An Upgrader has the worlds and gateways of a realm replaced by those of another release, or with other settings.
type Upgrader interface {
	// Upgrade does a part of it, or says what would be done: it is to be called again while there is more. The gateways that are named are drained
	// besides those of another release. What is done already is not done again.
	Upgrade(ctx context.Context, dry bool, gateways []uint32) (lines []string, more bool, err error)
}

// More is the last line of an answer to a verb that is to be said again until it is not.
const More = "There is more to do."

func (c *Console) clusterUpgrade(ctx context.Context, a *call) ([]string, error) {
	dry := a.args.Is("--dry-run")
	var gateways []uint32
	for a.args.Len() > 0 && len(gateways) < math.MaxUint8 {
		gateways = append(gateways, uint32(a.args.Int(1, math.MaxUint8)))
	}
	if err := a.args.End(); err != nil {
		return nil, err
	}
	if c.Upgrader == nil {
		return nil, Refusal("This server has its worlds in its own process: there is no cluster to upgrade.")
	}
	said, more, err := c.Upgrader.Upgrade(ctx, dry, gateways)
	if more && err == nil {
		said = append(said, More)
	}
	return said, err
}

package bench

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"muster/bench/peer"
	"muster/bench/swarm"
	"muster/net/login"
)

// askTime is how long a login server may take to answer.
const askTime = 15 * time.Second

// trial is how long one client is in the world before all others.
const trial = time.Second

// check finds out in seconds whether hours will do: whether the accounts are there, the servers let a client in, and the
// processes are those of the peer. It returns the share of a core that the peer takes without clients.
func (c *PeerConfig) check(ctx context.Context) (idle float64, err error) {
	most := slices.Max(c.Clients)
	config := swarm.Config{Prefix: c.Prefix, Clients: most, Behaviour: c.Behaviour, Ramp: c.Ramp, Duration: c.Duration}
	if err := config.Check(); err != nil {
		return 0, err
	}
	for _, n := range slices.Compact([]int{most, 1}) {
		if err := c.knows(ctx, fmt.Sprintf("%s%d", c.Prefix, n)); err != nil {
			return 0, err
		}
	}
	if idle, err = c.load(ctx); err != nil {
		return 0, err
	}
	before := make([]time.Duration, len(c.PIDs))
	for i, pid := range c.PIDs {
		if before[i], err = swarm.ProcessorTime(pid); err != nil {
			return 0, err
		}
	}
	if err := c.try(ctx, peer.Peer); err != nil {
		return 0, err
	}
	for i, pid := range c.PIDs {
		after, err := swarm.ProcessorTime(pid)
		if err != nil {
			return 0, err
		}
		if after == before[i] {
			return 0, fmt.Errorf("process %d took no processor time while a client was in the world: it is not a process of the server at %s", pid, c.Auth)
		}
	}
	return idle, c.try(ctx, peer.Muster)
}

// try lets one client into a server.
func (c *PeerConfig) try(ctx context.Context, side peer.Side) error {
	run, err := c.run(ctx, peer.Turn{Clients: 1, Repetition: 1, Side: side}, trial)
	if err != nil {
		return fmt.Errorf("one client, %s: %w", side, err)
	}
	if run.Failures > 0 {
		reasons := slices.Sorted(maps.Keys(run.ByReason))
		return fmt.Errorf("one client, %s: it did not get in, or did not stay: %s", side, strings.Join(reasons, ", "))
	}
	return nil
}

// knows is an error unless the login server knows an account and its password.
func (c *PeerConfig) knows(ctx context.Context, account string) error {
	asker := caller{patience: askTime}
	asking, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	_, _, err := asker.login(asking, c.Auth, account, c.Password)
	refused := new(refusal)
	switch {
	case errors.As(err, &refused) && refused.code == uint8(login.UnknownAccount):
		return fmt.Errorf("%s does not know the account %s, or it has another password: %s need accounts %s1 to %s%d there, with the same password",
			c.Auth, account, count(slices.Max(c.Clients), "client"), c.Prefix, c.Prefix, slices.Max(c.Clients))
	case err != nil:
		return fmt.Errorf("login at %s: %w", c.Auth, err)
	}
	return nil
}

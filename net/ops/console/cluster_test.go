package console_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"muster/net/gateway"
	"muster/net/ops/console"
	"muster/net/protocol/command"
)

// What an operator can want of a cluster is bounded: a number beyond it is refused as an argument, one within it by a server that is in no cluster.
func TestClusterLimits(t *testing.T) {
	c := console.New()
	for line, taken := range map[string]bool{
		fmt.Sprint("cluster scale ", console.MaxWorkers): true, fmt.Sprint("cluster scale ", console.MaxWorkers+1): false, "cluster scale 0": false,
		fmt.Sprint("cluster realm limit ", console.MaxRealmPlayers): true, fmt.Sprint("cluster realm limit ", console.MaxRealmPlayers+1): false,
		"cluster move 3 1": true, "cluster move 3 1 12": true, "cluster move 3 1 0": false, "cluster move 3 1 12 5": false, "cluster move 3 0": false,
	} {
		said, err := c.Run(t.Context(), gateway.Caller{Level: command.Console}, line)
		var refusal console.Refusal
		none := errors.As(err, &refusal) && strings.Contains(string(refusal), "in no cluster")
		if none != taken || err == nil {
			t.Errorf("%s: %q, %v", line, said, err)
		}
	}
}

package main

import (
	"strings"
	"testing"
)

// What a worker or a cluster with worlds in a stream cannot be started with.
func TestStreamFlags(t *testing.T) {
	for _, test := range []struct {
		args []string
		says string
	}{
		{[]string{"worker", "--bus", "nats://h:1", "--standby"}, "--standby, --successor and --anew need --durable world"},
		{[]string{"worker", "--bus", "nats://h:1", "--anew"}, "--standby, --successor and --anew need --durable world"},
		{[]string{"worker", "--bus", "nats://h:1", "--durable", "world", "--anew", "--standby"}, "--standby or --successor, and --anew, exclude each other"},
		{[]string{"worker", "--bus", "nats://h:1", "--durable", "world", "--record", "x"}, "--durable world and --record exclude each other: the log is a recording"},
		{[]string{"worker", "--bus", "nats://h:1", "--snapshot-every", "999ms"}, "--snapshot-every is from 1s to 1h, not 999ms"},
		{[]string{"cluster", "--standbys", "1"}, "--standbys and --anew need --durable world"},
		{[]string{"cluster", "--durable", "world", "--standbys", "4"}, "--standbys is from 0 to 3, not 4"},
		{[]string{"cluster", "--rebalance-after", "0s"}, "--rebalance-after is above 0"},
		{[]string{"orchestrate", "--database", gatewayDatabase, "--rebalance-after=-1s"}, "--rebalance-after is above 0"},
		{[]string{"orchestrate", "--database", gatewayDatabase, "--rebalance", "some"}, "--rebalance must be one of"},
	} {
		if code, _, stderr := execute(t, nil, test.args...); code != exitUsage || !strings.Contains(stderr, test.says) {
			t.Errorf("%v: exit code %d, %q, want %q", test.args, code, stderr, test.says)
		}
	}
}

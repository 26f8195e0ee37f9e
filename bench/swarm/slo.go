package swarm

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// ErrSLO is wrapped by what ParseSLO returns for text it cannot read.
var ErrSLO = errors.New("swarm: bad objective")

// Names of the histograms of a report, as objectives write them.
const (
	MetricMovement = "movement" // from A's scheduled write to B's read of the relay
	MetricLogin    = "login"    // from the scheduled start to the client's own CREATE
	MetricPing     = "ping"     // from the scheduled CMSG_PING to SMSG_PONG
	MetricSwing    = "swing"    // of Grind: see Harvest
	MetricCast     = "cast"
	MetricLoot     = "loot"
)

// An Objective is one promise about one figure of one histogram.
type Objective struct {
	Metric  string  // MetricMovement and following
	Figure  string  // as written: p99, p99.9, max, mean
	Percent float64 // of a percentile, 0 < Percent <= 100; 100 for max, 0 for mean
	Limit   time.Duration
}

// String is the objective as ParseSLO reads it.
func (o Objective) String() string {
	return fmt.Sprintf("%s.%s=%v", o.Metric, o.Figure, o.Limit)
}

// ParseSLO reads objectives such as "p99=200ms,p50=100ms,login.p99=5s,ping.max=1s".
//
// The metric before the point is movement if left out. A figure is p and a percentage (p50, p99, p99.9; p999 is p99.9),
// max or mean; the limit is a Go duration. An empty text has no objectives.
func ParseSLO(text string) ([]Objective, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	var all []Objective
	for _, term := range strings.Split(text, ",") {
		o, err := parseObjective(strings.TrimSpace(term))
		if err != nil {
			return nil, err
		}
		all = append(all, o)
	}
	return all, nil
}

func parseObjective(term string) (Objective, error) {
	bad := func(why string) (Objective, error) {
		return Objective{}, fmt.Errorf("%w %q: %s", ErrSLO, term, why)
	}
	left, right, ok := strings.Cut(term, "=")
	if !ok {
		return bad("want figure=duration")
	}
	o := Objective{Metric: MetricMovement, Figure: left}
	for _, m := range []string{MetricMovement, MetricLogin, MetricPing, MetricSwing, MetricCast, MetricLoot} {
		if rest, found := strings.CutPrefix(left, m+"."); found {
			o.Metric, o.Figure = m, rest
		}
	}
	switch {
	case o.Figure == "max":
		o.Percent = 100
	case o.Figure == "mean":
	case strings.HasPrefix(o.Figure, "p"):
		p, err := parsePercent(o.Figure[1:])
		if err != nil {
			return bad("the percentile must be above 0 and at most 100")
		}
		o.Percent = p
	default:
		return bad("the figure must be p and a percentage, max or mean")
	}
	limit, err := time.ParseDuration(right)
	if err != nil || limit <= 0 {
		return bad("the limit must be a positive duration such as 200ms")
	}
	o.Limit = limit
	return o, nil
}

// parsePercent reads 50, 99.9, and 999 in the sense of 99.9.
func parsePercent(s string) (float64, error) {
	if len(s) > 2 && s[0] == '9' && strings.Trim(s, "0123456789") == "" {
		s = s[:2] + "." + s[2:]
	}
	p, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0, err
	}
	if !(p > 0 && p <= 100) {
		return 0, ErrSLO
	}
	return p, nil
}

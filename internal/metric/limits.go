package metric

import "muster/internal/limit"

// Limits lists what a table bounds.
func Limits() []limit.Limit {
	return []limit.Limit{
		{Name: "names of a table", Value: MaxNames, Breach: "counted under " + Overflow, Counter: Overflow, Test: "internal/metric TestTableIsBounded"},
	}
}

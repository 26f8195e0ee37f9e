// Package peer compares another server with muster: which runs are made in which order, what their figures come
// to, which comparisons are void, and the report of all that as JSON, Markdown and SVG. It runs nothing itself.
package peer

import "slices"

// A Side is one of the two servers.
type Side string

// The sides.
const (
	Peer   Side = "peer"
	Muster Side = "muster"
)

// A Turn is one run that is to be made: so many clients on one of the servers.
type Turn struct {
	Clients    int  `json:"clients"`
	Repetition int  `json:"repetition"` // from 1; the seed of the clients' walks, so that both servers get the same
	Side       Side `json:"server"`
}

// Turns lists all runs in their order: the fewest clients first, each number as often as there are repetitions, and the
// two servers in turn. All runs with so many clients are together because a server may keep characters in its world for
// a while after their clients have left: they leave it when their accounts log in again, and those are the same.
func Turns(clients []int, repetitions int) []Turn {
	var turns []Turn
	for _, n := range slices.Sorted(slices.Values(clients)) {
		for k := range repetitions {
			turns = append(turns, Turn{n, k + 1, Peer}, Turn{n, k + 1, Muster})
		}
	}
	return turns
}

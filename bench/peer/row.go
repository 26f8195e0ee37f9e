package peer

import (
	"fmt"
	"math"
	"slices"
)

// Tolerance is by how much the packets per second that clients received of the two servers may differ, as a share of the
// greater number. Where they differ by more the servers did not do the same work, and nothing else can be compared.
const Tolerance = 0.02

// A Row compares the two servers under so many clients.
type Row struct {
	Clients    int     `json:"clients"`
	Void       string  `json:"void,omitempty"` // why nothing follows from the row; empty if it is good
	Difference float64 `json:"difference"`     // of the medians of packets per second, as a share of the greater
	Peer       Summary `json:"peer"`
	Muster     Summary `json:"muster"`
}

// Rows are the rows of all numbers of clients for which both servers have as many runs, in order.
func Rows(runs []Run) []Row {
	var clients []int
	for i := range runs {
		clients = append(clients, runs[i].Clients)
	}
	slices.Sort(clients)
	var rows []Row
	for _, n := range slices.Compact(clients) {
		of := func(side Side) (some []Run) {
			for i := range runs {
				if runs[i].Clients == n && runs[i].Side == side {
					some = append(some, runs[i])
				}
			}
			return some
		}
		theirs, ours := of(Peer), of(Muster)
		if len(theirs) > 0 && len(theirs) == len(ours) {
			rows = append(rows, newRow(n, summary(theirs), summary(ours)))
		}
	}
	return rows
}

func newRow(clients int, theirs, ours Summary) Row {
	row := Row{Clients: clients, Peer: theirs, Muster: ours}
	a, b := theirs.Median.Packets, ours.Median.Packets
	if most := max(a, b); most > 0 {
		row.Difference = math.Abs(a-b) / most
	}
	switch {
	case a <= 0 && b <= 0:
		row.Void = "neither server sent anything"
	case a <= 0:
		row.Void = "the peer sent nothing"
	case b <= 0:
		row.Void = "muster sent nothing"
	case row.Difference > Tolerance:
		row.Void = fmt.Sprintf("packets per second differ by %.2f %%, more than %.0f %%: %s of the peer, %s of muster",
			100*row.Difference, 100*Tolerance, number(a), number(b))
	}
	return row
}

// ratio is how many times the processor time of muster the peer took; ok is false if that cannot be said.
func (r *Row) ratio() (times float64, ok bool) {
	if r.Void != "" || r.Muster.Median.Processor <= 0 || r.Peer.Median.Processor <= 0 {
		return 0, false
	}
	return r.Peer.Median.Processor / r.Muster.Median.Processor, true
}

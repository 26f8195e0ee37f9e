package peer

import "muster/bench/chart"

// A curve is a figure of one server over clients.
type curve struct {
	name string
	of   func(*Row) *Summary
	at   func(*Figures) float64
}

// Charts draws latency and processor time over clients, with the least and the greatest of the repetitions. Void rows are
// left out; a chart of which nothing is left is nil.
func (r *Report) Charts() (latency, processor []byte, err error) {
	theirs := func(row *Row) *Summary { return &row.Peer }
	ours := func(row *Row) *Summary { return &row.Muster }
	p50 := func(f *Figures) float64 { return f.MovementP50 }
	p99 := func(f *Figures) float64 { return f.MovementP99 }
	taken := func(f *Figures) float64 { return f.Processor }
	latency, err = r.chart("Movement latency", "ms", []curve{
		{r.Peer + ", p50", theirs, p50}, {"muster, p50", ours, p50},
		{r.Peer + ", p99", theirs, p99}, {"muster, p99", ours, p99},
	})
	if err != nil {
		return nil, nil, err
	}
	processor, err = r.chart("Processor time of the server", "% of a core", []curve{
		{r.Peer, theirs, taken}, {"muster", ours, taken},
	})
	return latency, processor, err
}

func (r *Report) chart(title, unit string, of []curve) ([]byte, error) {
	var curves []chart.Curve
	for _, c := range of {
		var points []chart.Point
		for i := range r.Rows {
			row := &r.Rows[i]
			s := c.of(row)
			least := c.at(&s.Min)
			if row.Void != "" || least <= 0 { // the axes are logarithmic
				continue
			}
			points = append(points, chart.Point{
				Size: float64(row.Clients), Value: c.at(&s.Median), Min: least, Max: c.at(&s.Max),
			})
		}
		if len(points) > 0 {
			curves = append(curves, chart.Curve{Name: c.name, Points: points})
		}
	}
	if len(curves) == 0 {
		return nil, nil
	}
	return chart.Growth(title, "clients", unit, curves)
}

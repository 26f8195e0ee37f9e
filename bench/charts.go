package bench

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"

	"muster/bench/chart"
)

// charts draws all results of a folder: a file for each scenario with curves, and one for all ratios. It says which it
// wrote, by scenario; that of all ratios is under "".
func charts(results []Result, dir string) (map[string]string, error) {
	drawn := make(map[string]string)
	save := func(scenario, name string, svg []byte, err error) error {
		if err != nil {
			return err
		}
		drawn[scenario] = name
		return os.WriteFile(filepath.Join(dir, name), svg, 0o644)
	}
	var bars []chart.Bar
	for i := range results {
		r := &results[i]
		bars = append(bars, r.bars()...)
		curves, of, unit := r.curves()
		if len(curves) == 0 {
			continue
		}
		svg, err := chart.Growth(r.Title, of, unit, curves)
		if err := save(r.Name, r.Name+".svg", svg, err); err != nil {
			return nil, err
		}
	}
	if len(bars) > 0 {
		svg, err := chart.Ratios("Beside the baselines of the same run", bars)
		if err := save("", "ratios.svg", svg, err); err != nil {
			return nil, err
		}
	}
	return drawn, nil
}

// curves are the metrics of a result that are points, in order of size; of and unit are what the axes count. A point
// that is not above zero has no place on them.
func (r *Result) curves() (curves []chart.Curve, of, unit string) {
	for i := range r.Metrics {
		m := &r.Metrics[i]
		if m.Point == nil || m.Value.Min <= 0 || m.Point.Size <= 0 {
			continue
		}
		of, unit = m.Point.Of, m.Unit
		at := slices.IndexFunc(curves, func(c chart.Curve) bool { return c.Name == m.Point.Curve })
		if at < 0 {
			at = len(curves)
			curves = append(curves, chart.Curve{Name: m.Point.Curve})
		}
		curves[at].Points = append(curves[at].Points, chart.Point{
			Size: m.Point.Size, Value: m.Value.Median, Min: m.Value.Min, Max: m.Value.Max,
		})
	}
	for _, c := range curves {
		slices.SortFunc(c.Points, func(a, b chart.Point) int { return cmp.Compare(a.Size, b.Size) })
	}
	return curves, of, unit
}

// bars are the metrics that have to be many times faster than a baseline.
func (r *Result) bars() (bars []chart.Bar) {
	for i := range r.Metrics {
		m := &r.Metrics[i]
		if m.Times == nil {
			continue
		}
		bar := chart.Bar{Name: r.Name + ": " + m.Name, Times: m.Times.Median, Must: m.Target.must()}
		if m.Target.Stretch != nil {
			bar.Stretch = *m.Target.Stretch
		}
		bars = append(bars, bar)
	}
	return bars
}

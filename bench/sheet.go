package bench

import "math"

// A sheet collects what a scenario measures, repetition by repetition.
type sheet struct {
	columns []*column
	skipped []Skip
	counts  counter // of instructions; nil if no figure is of them
	quick   bool    // gates alone are judged
}

// A column is one metric of a sheet.
type column struct {
	metric    Metric
	baseline  string
	other     string // is judged if this one is not counted
	values    []float64
	baselines []float64
}

// put notes a value of the present repetition.
func (s *sheet) put(name, unit string, value float64) *column {
	for _, c := range s.columns {
		if c.metric.Name == name {
			c.values = append(c.values, value)
			return c
		}
	}
	c := &column{metric: Metric{Name: name, Unit: unit}, values: []float64{value}}
	s.columns = append(s.columns, c)
	return c
}

// median is that of the values of a metric so far; not a number if there is none.
func (s *sheet) median(name string) float64 {
	for _, c := range s.columns {
		if c.metric.Name == name {
			return spread(c.values).Median
		}
	}
	return math.NaN()
}

// beside notes what the baseline took in the same repetition.
func (c *column) beside(baseline string, value float64) *column {
	c.baseline = baseline
	c.baselines = append(c.baselines, value)
	return c
}

// atMost is what the metric must not exceed on a machine of the reference class.
func (c *column) atMost(limit float64, of Aspect) *column {
	c.metric.Target = &Target{Of: of, AtMost: limit}
	return c
}

// atLeast is what the metric has to reach on such a machine.
func (c *column) atLeast(limit float64, of Aspect) *column {
	c.metric.Target = &Target{Of: of, AtLeast: &limit}
	return c
}

// times is how often the metric has to go into its baseline.
func (c *column) times(limit, stretch float64) *column {
	return c.atLeast(limit, OfTimes).stretch(stretch)
}

// stretch is what would be better than what was asked for last.
func (c *column) stretch(limit float64) *column {
	c.metric.Target.Stretch = &limit
	return c
}

// gate is what the metric must not exceed on any machine.
func (c *column) gate(limit float64, of Aspect) *column { return c.atMost(limit, of).always() }

// always says that what was asked for last does not depend on the machine.
func (c *column) always() *column {
	c.metric.Target.Gate = true
	return c
}

// instead names the figure that is judged in the stead of this one, of instructions, where nothing counts them. One of
// which a counter has counted nothing has none: its gate fails the run.
func (c *column) instead(figure string) *column {
	c.other = figure
	return c
}

// at says that the metric is a curve's value at some size.
func (c *column) at(curve, of string, size int) *column {
	c.metric.Point = &Point{Curve: curve, Of: of, Size: float64(size)}
	return c
}

// skip notes a figure that cannot be had here. It is printed, and kept with the result.
func (s *sheet) skip(name, because string) {
	s.skipped = append(s.skipped, Skip{Name: name, Because: because})
}

// unjudged notes that a gate cannot be judged, which fails the run.
func (s *sheet) unjudged(name, because string) {
	s.skipped = append(s.skipped, Skip{Name: name, Because: because, Target: &Target{Of: OfRatio, AtMost: sharesLimit, Gate: true}})
}

// metrics sums the sheet up. What no number came of is skipped, with the target that is not judged then: so it is with a
// share of something that took less than a clock can measure, and with what a counter counted nothing of.
func (s *sheet) metrics() []Metric {
	all := make([]Metric, 0, len(s.columns))
	for _, c := range s.columns {
		m := c.metric
		if m.Target != nil {
			m.Target.Unjudged = s.quick && !m.Target.Gate
		}
		if !c.finite() {
			skip := Skip{Name: m.Name, Because: "no number came of it, as it was too short for a clock or not counted", Target: m.Target}
			if c.other != "" && s.counts.missing() != "" {
				skip.Because, skip.Instead = s.counts.missing(), c.other
			}
			s.skipped = append(s.skipped, skip)
			continue
		}
		m.Value = spread(c.values)
		if c.baseline != "" {
			ratios, times := make([]float64, len(c.values)), make([]float64, len(c.values))
			for k := range ratios {
				ratios[k], times[k] = c.values[k]/c.baselines[k], c.baselines[k]/c.values[k]
			}
			ratio := spread(ratios)
			m.Baseline, m.Ratio = &Baseline{c.baseline, spread(c.baselines)}, &ratio
			if c.inverted() {
				often := spread(times)
				m.Times = &often
			}
		}
		if m.Target != nil {
			m.Target.judge(m.aspect(m.Target.Of))
		}
		all = append(all, m)
	}
	return all
}

// finite reports whether each value of a column is a number, and each ratio to its baseline.
func (c *column) finite() bool {
	if c.baseline != "" && len(c.baselines) != len(c.values) {
		return false
	}
	for i, v := range c.values {
		if c.baseline != "" && !isNumber(v/c.baselines[i]) || !isNumber(v) || c.inverted() && !isNumber(c.baselines[i]/v) {
			return false
		}
	}
	return true
}

// inverted reports whether it is said how often the column goes into its baseline.
func (c *column) inverted() bool {
	return c.baseline != "" && c.metric.Target != nil && c.metric.Target.Of == OfTimes
}

func isNumber(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

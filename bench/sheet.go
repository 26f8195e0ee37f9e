package bench

// A sheet collects what a scenario measures, repetition by repetition.
type sheet struct{ columns []*column }

// A column is one metric of a sheet.
type column struct {
	metric    Metric
	baseline  string
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

// beside notes what the baseline took in the same repetition.
func (c *column) beside(baseline string, value float64) *column {
	c.baseline = baseline
	c.baselines = append(c.baselines, value)
	return c
}

// atMost is what the metric has to reach on a machine of the reference class.
func (c *column) atMost(limit float64, of Aspect) *column {
	c.metric.Target = &Target{Of: of, AtMost: limit}
	return c
}

// gate is what the metric has to reach on any machine.
func (c *column) gate(limit float64, of Aspect) *column {
	c.atMost(limit, of).metric.Target.Gate = true
	return c
}

// metrics sums the sheet up.
func (s *sheet) metrics() []Metric {
	all := make([]Metric, len(s.columns))
	for i, c := range s.columns {
		m := c.metric
		m.Value = spread(c.values)
		if c.baseline != "" {
			ratios := make([]float64, len(c.values))
			for k := range ratios {
				ratios[k] = c.values[k] / c.baselines[k]
			}
			ratio := spread(ratios)
			m.Baseline, m.Ratio = &Baseline{c.baseline, spread(c.baselines)}, &ratio
		}
		if m.Target != nil {
			m.Target.Met = m.aspect(m.Target.Of) <= m.Target.AtMost
		}
		all[i] = m
	}
	return all
}

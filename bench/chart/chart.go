// Package chart draws figures as SVG: curves over sizes, bars of ratios, and values over time. The same figures give the same bytes.
package chart

import (
	"bytes"
	"fmt"
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// A Curve is the cost of something at several sizes.
type Curve struct {
	Name   string
	Points []Point
}

// A Point is a median with its ends.
type Point struct{ Size, Value, Min, Max float64 }

// A Bar is how many times as fast as its baseline something is, and has to be.
type Bar struct {
	Name    string
	Times   float64
	Must    float64
	Stretch float64 // 0 none
}

// colors distinguish curves, also for the colour-blind.
var colors = []color.Color{
	color.RGBA{0x00, 0x72, 0xB2, 0xFF}, color.RGBA{0xD5, 0x5E, 0x00, 0xFF}, color.RGBA{0x00, 0x9E, 0x73, 0xFF},
	color.RGBA{0xCC, 0x79, 0xA7, 0xFF}, color.RGBA{0xE6, 0x9F, 0x00, 0xFF}, color.RGBA{0x56, 0xB4, 0xE9, 0xFF},
}

var grey = color.RGBA{0x66, 0x66, 0x66, 0xFF}

// Growth draws curves, both axes logarithmic, with the ends of each point.
func Growth(title, sizes, values string, curves []Curve) ([]byte, error) {
	p := plot.New()
	p.BackgroundColor = color.White
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, sizes, values
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = decades{}, decades{}
	p.Legend.Top, p.Legend.Left = true, true
	p.Add(plotter.NewGrid())
	for i, c := range curves {
		if len(c.Points) == 0 {
			return nil, fmt.Errorf("chart: %s: %s has no points", title, c.Name)
		}
		points := spreads{Points: c.Points}
		line, marks, err := plotter.NewLinePoints(points)
		if err != nil {
			return nil, fmt.Errorf("chart: %s: %s: %w", title, c.Name, err)
		}
		ends, err := plotter.NewYErrorBars(points)
		if err != nil {
			return nil, fmt.Errorf("chart: %s: %s: %w", title, c.Name, err)
		}
		paint := colors[i%len(colors)]
		line.Color, marks.Color, ends.Color = paint, paint, paint
		marks.Shape = draw.CircleGlyph{}
		p.Add(line, marks, ends)
		p.Legend.Add(c.Name, line)
	}
	return svg(p, 16*vg.Centimeter, 10*vg.Centimeter)
}

// An Event is a moment of a Timeline, in the unit of its points.
type Event struct {
	Name string
	At   float64
}

// Timeline draws values over time as points, with Size as the time, and a line where something happened. Values begin at 0.
func Timeline(title, times, values string, points []Point, events []Event) ([]byte, error) {
	p := plot.New()
	p.BackgroundColor = color.White
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, times, values
	p.Y.Min = 0
	p.Legend.Top = true
	p.Add(plotter.NewGrid())
	marks, err := plotter.NewScatter(spreads{Points: points})
	if err != nil {
		return nil, fmt.Errorf("chart: %s: %w", title, err)
	}
	marks.Color, marks.Shape, marks.Radius = colors[0], draw.CircleGlyph{}, vg.Points(1.5)
	p.Add(marks)
	p.Legend.Add(values, marks)
	top := 0.0
	for _, it := range points {
		top = max(top, it.Value)
	}
	for i, e := range events {
		line, err := plotter.NewLine(plotter.XYs{{X: e.At, Y: 0}, {X: e.At, Y: top}})
		if err != nil {
			return nil, fmt.Errorf("chart: %s: %w", title, err)
		}
		line.Width, line.Color = vg.Points(1), colors[(i+1)%len(colors)]
		p.Add(line)
		p.Legend.Add(e.Name, line)
	}
	return svg(p, 16*vg.Centimeter, 8*vg.Centimeter)
}

// Ratios draws bars, one below the other, with a mark for what must be reached and one for what would be better.
func Ratios(title string, bars []Bar) ([]byte, error) {
	p := plot.New()
	p.BackgroundColor = color.White
	p.Title.Text, p.X.Label.Text = title, "times as fast as the baseline (| must, | stretch)"
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, decades{}
	p.X.Min, p.X.Max = 1, 2
	names := make([]string, len(bars))
	for i, b := range bars {
		y := float64(len(bars) - 1 - i)
		names[len(bars)-1-i] = b.Name
		p.X.Max = max(p.X.Max, 1.3*b.Times, 1.3*b.Must, 1.3*b.Stretch)
		paint := colors[0]
		if b.Times < b.Must {
			paint = colors[1]
		}
		if err := stroke(p, 8*vg.Millimeter/2, paint, 1, y, max(b.Times, 1), y); err != nil {
			return nil, err
		}
		for k, mark := range [...]float64{b.Must, b.Stretch} {
			if mark > 1 {
				if err := stroke(p, vg.Points(float64(2-k)), grey, mark, y-0.4, mark, y+0.4); err != nil {
					return nil, err
				}
			}
		}
	}
	p.Y.Min, p.Y.Max = -0.6, float64(len(bars))-0.4
	p.NominalY(names...)
	return svg(p, 18*vg.Centimeter, vg.Length(len(bars))*0.8*vg.Centimeter+3*vg.Centimeter)
}

// stroke adds a straight line.
func stroke(p *plot.Plot, width vg.Length, paint color.Color, x0, y0, x1, y1 float64) error {
	line, err := plotter.NewLine(plotter.XYs{{X: x0, Y: y0}, {X: x1, Y: y1}})
	if err != nil {
		return fmt.Errorf("chart: %w", err)
	}
	line.Width, line.Color = width, paint
	p.Add(line)
	return nil
}

func svg(p *plot.Plot, width, height vg.Length) ([]byte, error) {
	canvas := vgsvg.New(width, height)
	p.Draw(draw.New(canvas))
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return nil, fmt.Errorf("chart: %w", err)
	}
	return b.Bytes(), nil
}

// spreads are points as plotters read them.
type spreads struct{ Points []Point }

// Len implements plotter.XYer.
func (s spreads) Len() int { return len(s.Points) }

// XY implements plotter.XYer.
func (s spreads) XY(i int) (x, y float64) { return s.Points[i].Size, s.Points[i].Value }

// YError implements plotter.YErrorer.
func (s spreads) YError(i int) (low, high float64) {
	p := s.Points[i]
	return p.Value - p.Min, p.Max - p.Value
}

// decades marks the powers of ten, and between them 2 and 5.
type decades struct{}

// Ticks implements plot.Ticker.
func (decades) Ticks(least, most float64) (ticks []plot.Tick) {
	if !(least > 0) || !(most < math.MaxFloat64) {
		return nil
	}
	for power := math.Pow10(int(math.Floor(math.Log10(least)))); power <= most; power *= 10 {
		for _, digit := range [...]float64{1, 2, 5} {
			if v := digit * power; v >= least*0.999 && v <= most*1.001 {
				ticks = append(ticks, plot.Tick{Value: v, Label: strconv.FormatFloat(v, 'g', 6, 64)})
			}
		}
	}
	return ticks
}

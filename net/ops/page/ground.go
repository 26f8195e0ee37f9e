package page

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"math"
	"net/http"
	"sync"

	"muster/components/defs"
)

// groundSide is the side of the picture of a map in pixels. North, where x grows, is up, and west, where y grows, left.
const groundSide = 768

// contourYards is the height from one contour to the next.
const contourYards = 50

// ground draws a map as light, shadow and a little colour over nothing, so that it fits any background.
func ground(m *defs.Map) []byte {
	img := image.NewNRGBA(image.Rect(0, 0, groundSide, groundSide))
	step := 2 * m.Half / groundSide
	heights := make([]float32, (groundSide+1)*(groundSide+1))
	for row := range groundSide + 1 {
		for column := range groundSide + 1 {
			heights[row*(groundSide+1)+column] = m.Height(m.Half-float32(row)*step, m.Half-float32(column)*step)
		}
	}
	band := func(h float32) float64 { return math.Floor(float64(h) / contourYards) }
	for row := range groundSide {
		for column := range groundSide {
			at := row*(groundSide+1) + column
			h, east, south := heights[at], heights[at+1], heights[at+groundSide+1]
			c := tint(h)
			if light := float64((h-east)+(h-south)) / float64(step); light > 0 { // from the north-west
				c = over(color.NRGBA{0, 0, 0, uint8(min(light*150, 80))}, c)
			} else {
				c = over(color.NRGBA{255, 255, 255, uint8(min(-light*150, 80))}, c)
			}
			if band(h) != band(east) || band(h) != band(south) {
				c = over(color.NRGBA{90, 110, 95, 44}, c)
			}
			img.SetNRGBA(column, row, c)
		}
	}
	var b bytes.Buffer
	png.Encode(&b, img) // into memory it cannot fail
	return b.Bytes()
}

// tints are the colours of heights in yards, from the low to the high.
var tints = [...]struct {
	h float32
	c [3]float32
}{{-80, [3]float32{60, 118, 118}}, {20, [3]float32{104, 142, 98}}, {90, [3]float32{176, 156, 100}}, {190, [3]float32{214, 204, 190}}}

// tint is the colour of a height.
func tint(h float32) color.NRGBA {
	h = min(max(h, tints[0].h), tints[len(tints)-1].h)
	i := 1
	for h > tints[i].h {
		i++
	}
	share := (h - tints[i-1].h) / (tints[i].h - tints[i-1].h)
	var c [3]uint8
	for k := range c {
		c[k] = uint8(tints[i-1].c[k] + share*(tints[i].c[k]-tints[i-1].c[k]))
	}
	return color.NRGBA{c[0], c[1], c[2], 56}
}

// over lays a colour on another.
func over(top, under color.NRGBA) color.NRGBA {
	a, b := float64(top.A)/255, float64(under.A)/255
	all := a + b*(1-a)
	if all == 0 {
		return under
	}
	mix := func(x, y uint8) uint8 { return uint8((float64(x)*a + float64(y)*b*(1-a)) / all) }
	return color.NRGBA{mix(top.R, under.R), mix(top.G, under.G), mix(top.B, under.B), uint8(all * 255)}
}

// ground serves the picture of a map.
func (p *Page) ground(w http.ResponseWriter, r *http.Request) {
	m := p.place(r)
	if m == nil {
		http.NotFound(w, r)
		return
	}
	picture, _ := p.grounds.LoadOrStore(m.ID, sync.OnceValue(func() []byte { return ground(m) }))
	w.Header().Set("Content-Type", "image/png")
	w.Header().Set("Cache-Control", "no-cache")
	w.Write(picture.(func() []byte)())
}

// spawns serves the home positions of creatures, also of those that do not exist yet.
func (p *Page) spawns(w http.ResponseWriter, r *http.Request) {
	m := p.place(r)
	if m == nil {
		http.NotFound(w, r)
		return
	}
	b := make([]byte, 0, 4*len(m.Spawns))
	for i := range m.Spawns {
		s := &m.Spawns[i]
		b = binary.LittleEndian.AppendUint16(b, uint16(int16(math.Round(float64(s.X)))))
		b = binary.LittleEndian.AppendUint16(b, uint16(int16(math.Round(float64(s.Y)))))
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Cache-Control", "no-cache")
	w.Write(b)
}

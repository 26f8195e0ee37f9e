package page

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"math"
	"net/http"

	"muster/components/defs"
)

// groundSide is the side of the picture of a map in pixels. North, where x grows, is up, and west, where y grows, left.
const groundSide = 768

// ground draws a map as light and shadow over nothing, so that it fits any background.
func ground(m *defs.Map) []byte {
	const contourYards = 25
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
			light := float64((h-east)+(h-south)) / float64(step) * 1.1 // from the south-east
			c := color.NRGBA{255, 255, 255, uint8(min(max(-light, 0)*110, 90))}
			if light > 0 {
				c = color.NRGBA{0, 0, 0, uint8(min(light*110, 90))}
			}
			if band(h) != band(east) || band(h) != band(south) {
				c = color.NRGBA{110, 130, 120, 80}
			}
			img.SetNRGBA(column, row, c)
		}
	}
	var b bytes.Buffer
	png.Encode(&b, img) // into memory it cannot fail
	return b.Bytes()
}

// ground serves the picture of a map.
func (p *Page) ground(w http.ResponseWriter, r *http.Request) {
	of, i := p.of(r.PathValue("id"))
	if of == nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "image/png")
	w.Header().Set("Cache-Control", "no-cache")
	w.Write(p.grounds[i]())
}

// spawns serves where creatures belong, also those that nobody has seen yet.
func (p *Page) spawns(w http.ResponseWriter, r *http.Request) {
	of, _ := p.of(r.PathValue("id"))
	if of == nil {
		http.NotFound(w, r)
		return
	}
	b := make([]byte, 0, 4*len(of.Map.Spawns))
	for i := range of.Map.Spawns {
		s := &of.Map.Spawns[i]
		b = binary.LittleEndian.AppendUint16(b, uint16(int16(math.Round(float64(s.X)))))
		b = binary.LittleEndian.AppendUint16(b, uint16(int16(math.Round(float64(s.Y)))))
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Cache-Control", "no-cache")
	w.Write(b)
}

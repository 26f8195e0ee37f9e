package gateway

import (
	"slices"
	"testing"

	"muster/ecs/grid"
	"muster/net/replication/frame"
)

// Neighbours are flushed one after another, whenever they logged in, and each is still found at its place when it goes.
func TestNeighboursAreFlushedTogether(t *testing.T) {
	l := &loop{gate: &Gate{}, watches: []watch{{worldLink: &worldLink{}, phases: make([][]*conn, 2)}}}
	w := &l.watches[0]
	at := func(place int) grid.View {
		return grid.ViewFrom(grid.At(float32(place)*grid.CellYards, 0, grid.Living))
	}
	for session := range uint32(12) {
		w.place(&conn{
			loop: l, player: &player{session: session, worldLink: w.worldLink},
			cursor: frame.Cursor{Session: session, View: at(int(session*5) % 4)},
		})
	}
	w.order()
	var got []uint32
	for phase := range w.phases {
		for i, c := range w.phases[phase] {
			if got = append(got, c.player.session); c.slot != i || int(c.player.session)%2 != phase {
				t.Errorf("session %d is at %d of phase %d, and believes to be at %d", c.player.session, i, phase, c.slot)
			}
		}
	}
	// Session s is at place s modulo 4.
	if want := []uint32{0, 4, 8, 2, 6, 10, 1, 5, 9, 3, 7, 11}; !slices.Equal(got, want) {
		t.Errorf("in the order %v, want %v", got, want)
	}
}

package naive

// A Circle is players that see certain units: for measuring the cost of sending changes, once it is known to which.
type Circle struct {
	players []*Player
	units   []*Unit
}

// Circle lists players by their sessions and units by their GUIDs. All are in the world.
func (w *World) Circle(sessions []uint32, guids []uint64) *Circle {
	c := new(Circle)
	for _, session := range sessions {
		c.players = append(c.players, w.players[session])
	}
	for _, guid := range guids {
		c.units = append(c.units, w.units[guid].base())
	}
	return c
}

// Resend changes the health and mana of each unit of the circle, and sends each of its players all of them, as
// sendUpdates does. visit gets the packets of one player after the other, by its place in the circle.
func (c *Circle) Resend(health, mana uint32, visit func(player int, packets []byte)) {
	for _, u := range c.units {
		u.set(fieldHealth, health)
		u.set(fieldPower, mana)
	}
	for i, p := range c.players {
		var d updateData
		for _, u := range c.units {
			u.appendValues(&d, p)
		}
		d.send(p)
		p.write()
		visit(i, p.out)
	}
	for _, u := range c.units {
		u.clearChanges()
		u.world.changed = u.world.changed[:0]
	}
}

package conformance

import (
	"slices"
	"testing"

	"muster/net/protocol/msg"
)

// The layouts are those of protocol.md 4.7.

func hit(attacker, victim uint64, damage, overkill uint32) packet {
	return packet{0x14A, join(uint32(2), packed(attacker), packed(victim), damage, overkill,
		1, uint32(1), float32(damage), damage, 1, uint32(0), uint32(0))}
}

func spellStart(caster uint64, spell, castMs uint32) packet {
	return packet{0x131, join(packed(caster), packed(caster), 1, spell, uint32(2), castMs, uint32(0))}
}

func spellGo(caster uint64, spell, flags uint32) packet {
	return packet{0x132, join(packed(caster), packed(caster), 1, spell, flags, uint32(5), 0, 0, uint32(0))}
}

func castFailed(spell uint32) packet { return packet{0x130, join(1, spell, 85)} }

func spellDamage(target, attacker uint64, damage uint32) packet {
	return packet{0x250, join(packed(target), packed(attacker), uint32(7), damage, uint32(0), 4,
		uint32(0), uint32(0), 0, 0, uint32(0), uint32(0), 0)}
}

func aura(unit uint64, flags int, maxMs, leftMs uint32) packet {
	body := join(packed(unit), 0, uint32(7), flags, 1, 1)
	if flags&0x20 != 0 {
		body = join(body, maxMs, leftMs)
	}
	return packet{0x496, body}
}

func path(guid uint64, flags uint32) packet {
	return packet{0x0DD, join(packed(guid), 0, []float32{1, 2, 3}, uint32(9), 0, flags, uint32(1500), uint32(1), []float32{4, 5, 6})}
}

func levelUp(level uint32) packet { return packet{0x1D4, join(level, make([]byte, 52))} }

// item is a create of an item with an owner; it has no place of its own.
func item(guid, owner uint64) []byte {
	return join(2, packed(guid), 1, 0, 0, 1, uint32(0xC0), uint32(owner), uint32(owner>>32))
}

// object is the create block of a game object, as protocol.md 4.2 has it: with flags, type mask, and bytes.
func object(guid uint64, flags int, mask, bytes uint32) []byte {
	b := join(2, packed(guid), 5, flags&0xFF, flags>>8)
	if flags&0x100 != 0 {
		b = join(b, 0, []float32{1, 2, 3, 1, 2, 3, 0.5, 0})
	} else if flags&0x40 != 0 {
		b = join(b, []float32{1, 2, 3, 0.5})
	}
	if flags&0x10 != 0 {
		b = join(b, uint32(guid))
	}
	if flags&0x200 != 0 {
		b = join(b, uint32(0xB504F), uint32(0))
	}
	return join(b, 1, uint32(1<<2|1<<17), mask, bytes)
}

// wounded is a creature with so much health of 100, and nothing wrong about it.
func wounded(health uint32) packet {
	return blocks(values(creature, 0x20, 100), values(creature, 0x18, health))
}

func TestFights(t *testing.T) {
	const stranger = 0x99
	const door = 0xF110_0000_9900_0003
	for _, test := range []struct {
		name    string
		packets []packet
		kinds   []Kind
	}{
		{"a fight", []packet{
			wounded(100), {0x143, join(uint64(self), uint64(creature))}, {0x13C, join(uint64(creature), uint32(2))},
			hit(self, creature, 30, 0), wounded(70), hit(self, creature, 10, 0), hit(self, creature, 20, 0), wounded(40),
			spellStart(self, 7, 1500), spellGo(self, 7, 0x100), spellDamage(creature, self, 15), wounded(25),
			wounded(40), hit(self, creature, 50, 10), wounded(0), blocks(values(creature, 0x4F, 1)),
			{0x144, join(packed(self), packed(creature), uint32(1))},
		}, nil},
		{"a miss on the dead", []packet{wounded(0), hit(self, creature, 0, 0)}, nil},
		{"recovery beside a hit", []packet{wounded(50), hit(self, creature, 30, 0), wounded(25), hit(self, creature, 5, 0)}, nil},
		{"a smaller maximum", []packet{wounded(100), blocks(values(creature, 0x20, 80)), hit(self, creature, 5, 0)}, []Kind{Overfull}},
		{"a hit of strangers", []packet{hit(stranger, stranger+1, 5, 0)}, []Kind{UnknownEvent}},
		{"a spell of a stranger", []packet{spellStart(stranger, 7, 0), spellGo(stranger, 7, 0)}, []Kind{UnknownEvent, UnknownEvent}},
		{"an AI reaction of a stranger", []packet{{0x13C, join(uint64(stranger), uint32(2))}}, []Kind{UnknownEvent}},
		{"an attack of strangers", []packet{{0x143, join(uint64(stranger), uint64(stranger+1))}}, []Kind{UnknownEvent}},
		{"an end of strangers", []packet{{0x144, join(packed(stranger), packed(stranger+1), uint32(1))}}, []Kind{UnknownEvent}},
		{"a stranger's fall", []packet{{0x1FC, join(uint64(stranger), 2, uint32(5), uint32(0), uint32(0))}}, []Kind{UnknownEvent}},
		{"short hit", []packet{{0x14A, hit(self, creature, 5, 0).body[:20]}}, []Kind{Undecodable}},
		{"values before their hit", []packet{wounded(100), wounded(70), hit(self, creature, 30, 0)}, []Kind{LateHit}},
		{"values before two hits", []packet{wounded(100), wounded(70), hit(self, creature, 20, 0), hit(self, creature, 10, 0)}, []Kind{LateHit}},
		{"values before the last hit", []packet{wounded(30), wounded(0), hit(self, creature, 50, 20)}, []Kind{DeadVictim, LateHit}},
		{"values of a spell, then a hit", []packet{wounded(100), spellDamage(creature, self, 30), wounded(70), hit(self, creature, 30, 0)}, nil},
		{"unsaid loss, then a greater hit", []packet{wounded(100), wounded(95), hit(self, creature, 30, 0)}, nil},
		{"a hit on the dead", []packet{wounded(0), hit(self, creature, 5, 5)}, []Kind{DeadVictim}},
		{"killed twice", []packet{wounded(10), hit(self, creature, 12, 2), hit(self, creature, 12, 12)}, []Kind{DeadVictim}},
		{"too much health", []packet{wounded(101)}, []Kind{Overfull}},
		{"lootable alive", []packet{wounded(100), blocks(values(creature, 0x4F, 1))}, []Kind{LivingBody}},
		{"dead alive", []packet{wounded(100), blocks(values(creature, 0x4F, 0x20))}, []Kind{LivingBody}},
		{"tapped alive", []packet{wounded(100), blocks(values(creature, 0x4F, 0xC))}, nil},
		{"flying", []packet{path(creature, 0x2000)}, []Kind{BadPath}},
		{"done", []packet{path(creature, 0x1100)}, []Kind{BadPath}},
		{"running", []packet{path(creature, 0)}, nil},
		{"an aura", []packet{aura(other, 0x39, 9000, 9000), aura(other, 0x19, 0, 0), {0x496, join(packed(other), 3, uint32(0))}}, nil},
		{"an aura without effects", []packet{aura(other, 0x18, 0, 0)}, []Kind{BadAura}},
		{"an aura without time", []packet{aura(other, 0x39, 0, 0)}, []Kind{BadAura}},
		{"an aura with too much time", []packet{aura(other, 0x39, 9000, 9001)}, []Kind{BadAura}},
		{"half an aura", []packet{{0x496, aura(other, 0x39, 1, 1).body[:9]}}, []Kind{Undecodable}},
		{"done without having begun", []packet{spellStart(self, 7, 1500), spellGo(self, 7, 0), spellGo(self, 7, 0)}, []Kind{CastOrder}},
		{"begun twice", []packet{spellStart(self, 7, 1500), spellStart(self, 8, 1500)}, []Kind{CastOrder}},
		{"begun again", []packet{spellStart(self, 7, 1500), castFailed(7), spellStart(self, 7, 1500), spellGo(self, 7, 0)}, nil},
		{"broken off", []packet{spellStart(self, 7, 1500), {0x133, join(packed(self), 1, uint32(7), 40)}, spellStart(self, 7, 1500)}, nil},
		{"asked for again meanwhile", []packet{spellStart(self, 7, 1500), {0x130, join(2, uint32(7), 105)}, spellGo(self, 7, 0)}, nil},
		{"refused and done", []packet{spellStart(self, 7, 1500), castFailed(7), spellGo(self, 7, 0)}, []Kind{CastOrder}},
		{"at once, for once", []packet{spellStart(self, 7, 1500), spellGo(self, 7, 0), spellStart(self, 7, 0), spellGo(self, 7, 0)}, nil},
		{"of itself", []packet{spellStart(self, 7, 1500), spellGo(self, 7, 0), spellGo(self, 7, 1)}, nil},
		{"another's casts", []packet{spellStart(other, 7, 1500), spellStart(other, 8, 1500), spellGo(other, 7, 0), spellGo(other, 7, 0)}, nil},
		{"an own item", []packet{blocks(item(0x4000_0000_0000_0001, self))}, nil},
		{"another's item", []packet{blocks(item(0x4000_0000_0000_0001, other))}, []Kind{ForeignItem}},
		{"values of an unknown item", []packet{blocks(values(0x4000_0000_0000_0001, 0x0E, 6))}, []Kind{UnknownValues}},
		{"a game object", []packet{blocks(object(door, 0x350, 0x21, 0x64002301)), blocks(values(door, 0x11, 0x64000000))}, nil},
		{"a transport", []packet{blocks(object(0x1FC0_0000_0000_0005, 0x252&^2, 0x21, 0x0F01))}, nil},
		{"a game object without a rotation", []packet{blocks(object(door, 0x150, 0x21, 1))}, []Kind{BadObject}},
		{"a game object without a low GUID", []packet{blocks(object(door, 0x340, 0x21, 1))}, []Kind{BadObject}},
		{"a game object without a place", []packet{blocks(object(door, 0x210, 0x21, 1))}, []Kind{BadObject}},
		{"a game object of another mask", []packet{blocks(object(door, 0x350, 9, 1))}, []Kind{BadObject}},
		{"a game object with the GUID of a creature", []packet{blocks(object(0xF130_0000_9900_0007, 0x350, 0x21, 1))}, []Kind{BadObject}},
		{"a game object of no type", []packet{blocks(object(door, 0x350, 0x21, 0x2401))}, []Kind{BadObject}},
		{"a game object that becomes one of no type", []packet{blocks(object(door, 0x350, 0x21, 1)), blocks(values(door, 0x11, 0x2400))}, []Kind{BadObject}},
		{"a level", []packet{levelUp(2), blocks(values(self, 0x36, 2))}, nil},
		{"two levels", []packet{levelUp(2), levelUp(3), blocks(values(self, 0x36, 3))}, nil},
		{"a level without notice", []packet{blocks(values(self, 0x36, 2))}, []Kind{Unlevelled}},
		{"another level", []packet{levelUp(2), blocks(values(self, 0x36, 3))}, []Kind{Unlevelled}},
		{"another's level", []packet{blocks(values(other, 0x36, 2))}, nil},
		{"experience", []packet{blocks(values(self, 0x27B, 400), values(self, 0x27A, 399))}, nil},
		{"too much experience", []packet{blocks(values(self, 0x27B, 400), values(self, 0x27A, 400))}, []Kind{Overlearnt}},
		{"a ghost", []packet{blocks(values(other, 0x18, 1), values(other, 0x96, 0x10))}, nil},
		{"a ghost alive", []packet{blocks(values(other, 0x18, 50), values(other, 0x96, 0x10))}, []Kind{LivingGhost}},
		{"a ghost reclaims", []packet{blocks(values(other, 0x96, 0x10)), blocks(values(other, 0x96, 0), values(other, 0x18, 50))}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := inWorld(t, Config{Texts: 10})
			show(c, test.packets...)
			want(t, c, test.kinds...)
		})
	}
}

// Items come before the client itself.
func TestItemsFirst(t *testing.T) {
	c := New(Config{})
	show(c, challenge, accepted)
	c.Enter(self)
	show(c, verified, blocks(item(0x4000_0000_0000_0001, self), create(3, self, 1, 1)))
	want(t, c)
}

func TestUnits(t *testing.T) {
	type landed struct {
		damage uint32
		killed bool
	}
	var hits []landed
	var paths []uint64
	c := inWorld(t, Config{
		Hit:    func(m *msg.AttackerState, killed bool) { hits = append(hits, landed{m.Damage, killed}) },
		Walked: func(m *msg.MonsterMove) { paths = append(paths, m.Mover) },
	})
	show(c, wounded(100), blocks(values(creature, 0x36, 3), values(creature, 0x37, 14), values(creature, 0x3B, 0x80000), values(creature, 0x52, 2)))
	show(c, hit(self, creature, 60, 0), hit(self, creature, 39, 0))
	u, ok := c.Unit(creature)
	if want := (Unit{GUID: creature, Creature: true, X: 12, Y: 22, Z: 50, GoalX: 12, GoalY: 22, Health: 1, MaxHealth: 100,
		Level: 3, Faction: 14, Flags: 0x80000, NPCFlags: 2}); !ok || u != want {
		t.Errorf("unit %+v, want %+v", u, want)
	}
	show(c, hit(self, creature, 1, 0), path(creature, 0))
	if u, _ := c.Unit(creature); u.Health != 0 || u.Dead || u.X != 1 || u.GoalX != 4 || u.GoalY != 5 {
		t.Errorf("unit %+v", u)
	}
	show(c, wounded(0), blocks(values(creature, 0x4F, 1)))
	if u, _ := c.Unit(creature); !u.Dead || !u.Lootable {
		t.Errorf("unit %+v", u)
	}
	if want := []landed{{60, false}, {39, false}, {1, true}}; !slices.Equal(hits, want) {
		t.Errorf("hits %v, want %v", hits, want)
	}
	if !slices.Equal(paths, []uint64{creature}) {
		t.Errorf("paths of %#x", paths)
	}
	n := 0
	for u := range c.Creatures() {
		if n++; u.GUID != creature {
			t.Errorf("creature %#x", u.GUID)
		}
	}
	if _, ok := c.Unit(0x99); ok || n != 1 {
		t.Errorf("%d creatures, %v", n, ok)
	}
	show(c, blocks(values(self, 0x492, 77)), levelUp(2), blocks(values(self, 0x36, 2)))
	if c.Copper() != 77 || c.Level() != 2 {
		t.Errorf("%d copper, level %d", c.Copper(), c.Level())
	}
	want(t, c)
}

func TestFightsDoNotAllocate(t *testing.T) {
	c := inWorld(t, Config{})
	show(c, wounded(100))
	p, q := hit(self, creature, 0, 0), spellGo(other, 7, 0)
	if n := testing.AllocsPerRun(300, func() { show(c, p, q) }); n != 0 {
		t.Errorf("a hit and a spell allocate %v times", n)
	}
	want(t, c)
}

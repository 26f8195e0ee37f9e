package fanout

import (
	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/protocol/update"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/sched"
	"muster/systems/record"
	"muster/systems/rules"
)

// A blockWriter writes entities as update blocks. What it views in place points into words (update.Words), or is a part of an
// update.Subject.
type blockWriter struct {
	nowMs    uint32
	creature *update.Layout
	player   *update.Layout
	corpse   *update.Layout

	objects      ecs.ReadRef[components.Object] `inplace:"words"`
	vitals       ecs.ReadRef[components.Vitals] `inplace:"words"`
	units        ecs.Write[components.Unit]     // for AuraState alone
	stances      ecs.ReadRef[components.Stance] `inplace:"words"`
	targets      ecs.ReadRef[components.Target] `inplace:"words"`
	stats        ecs.ReadRef[components.Stats]
	appearances  ecs.ReadRef[components.PlayerAppearance] `inplace:"words"`
	visibleItems ecs.ReadRef[components.VisibleItems]
	progress     ecs.ReadRef[components.Progress] `inplace:"words"`
	carried      ecs.ReadRef[components.Carried]  `inplace:"words"`
	corpses      ecs.ReadRef[components.Corpse]
	positions    ecs.ReadRef[components.Position] `inplace:"update.Subject"`
	motions      ecs.ReadRef[components.Motion]   `inplace:"update.Subject"`
	walks        ecs.ReadRef[components.Walk]
	speeds       ecs.ReadRef[components.Speeds] `inplace:"update.Subject"`
	inventory    ecs.ReadRef[components.Inventory]
	transfers    ecs.Read[components.MapTransfer]
	unitAuras    ecs.Read[components.UnitAuras]
	dirty        ecs.Write[components.Dirty]
	creatures    ecs.Write[components.CreatureImage]
	players      ecs.Write[components.PlayerImage]
	corpseImages ecs.Write[components.CorpseImage]
	gameObjects  gameObjects
	records      ecs.Write[components.Record] // for Version alone
	saver        record.Saver

	defs  ecs.Res[defs.World]
	auras ecs.ResMut[ecs.Slab[components.Auras]]

	tails      tails
	auraUpdate msg.AuraUpdate
	character  frame.Character
	words      update.Words
	items      *update.Items
	updates    update.Writer
	scratch    []byte
}

// Init implements ecs.Initializer.
func (b *blockWriter) Init() {
	b.creature = update.NewLayout(wire.V12340, update.Creature, components.CreatureParts()...)
	b.player = update.NewLayout(wire.V12340, update.Player, components.PlayerParts()...)
	b.corpse = update.NewLayout(wire.V12340, update.Corpse, components.CorpseParts()...)
	b.items = update.NewItems()
}

// loadWords points b.words at an entity's words, and returns their layout and what was last sent.
func (b *blockWriter) loadWords(e ecs.Entity) (layout *update.Layout, image []uint32) {
	object := b.objects.Get(e)
	b.words[0] = components.Words(object)
	if object.Type == components.MaskOfGameObject {
		return b.gameObjects.loadWords(e, &b.words)
	}
	if b.corpses.Has(e) {
		b.words[1] = components.Words(b.corpses.Get(e))
		return b.corpse, b.corpseImages.Get(e)[:]
	}
	b.words[1] = components.Words(b.vitals.Get(e))
	b.words[2] = components.Words(b.units.Get(e))
	b.words[3] = components.Words(b.stances.Get(e))
	b.words[4] = components.Words(b.targets.Get(e))
	if b.creatures.Has(e) {
		return b.creature, b.creatures.Get(e)[:]
	}
	b.words[5] = components.Words(b.stats.Get(e))
	b.words[6] = components.Words(b.appearances.Get(e))
	b.words[7] = components.Words(b.visibleItems.Get(e))
	b.words[8] = components.Words(b.progress.Get(e))
	b.words[9] = components.Words(b.carried.Get(e))
	return b.player, b.players.Get(e)[:]
}

// fillImage sets the image of an entity to the values that clients get when they first see it. It is called while no
// client knows the entity.
func (b *blockWriter) fillImage(e ecs.Entity) {
	b.healthState(e)
	layout, image := b.loadWords(e)
	layout.Fill(image, &b.words)
	b.dirty.Get(e).Mask = 0
	b.tails.outdate(e)
}

// appendValues appends, as Values has them, the public words of the entity loaded last that clients do not have yet.
// It is false if there are none.
func (b *blockWriter) appendValues(builder *frame.Builder, e ecs.Entity, layout *update.Layout, image []uint32) bool {
	b.tails.outdate(e)
	dirty := b.dirty.Get(e).Mask | b.healthState(e)
	var changed bool
	b.scratch, changed = layout.Delta(b.scratch[:0], b.objects.Get(e).GUID, &b.words, dirty, image)
	if changed {
		builder.Bytes = frame.AppendBlock(builder.Bytes, b.scratch)
	}
	return changed
}

// healthState updates the aura states that depend on a unit's health, and returns the dirty bits of that.
func (b *blockWriter) healthState(e ecs.Entity) (dirty uint32) {
	if b.unitless(e) {
		return 0
	}
	unit, state := b.units.Get(e), b.vitals.Get(e).AuraState()
	if unit.AuraState == state {
		return 0
	}
	unit.AuraState = state
	return components.DirtyUnit
}

// unitless reports whether an entity is shown as something else than a unit: a player's corpse, or a game object.
func (b *blockWriter) unitless(e ecs.Entity) bool {
	return b.objects.Get(e).Type == components.MaskOfGameObject || b.corpses.Has(e)
}

// appendPrivate appends the packet with the dirty private words of the entity loaded last, and clears its dirty bits.
// It is false if there are none.
func (b *blockWriter) appendPrivate(builder *frame.Builder, e ecs.Entity, layout *update.Layout) bool {
	dirty := b.dirty.Get(e)
	if layout != b.player { // no client of its own
		dirty.Mask = 0
		return false
	}
	var any bool
	b.scratch, any = layout.Private(b.scratch[:0], b.objects.Get(e).GUID, &b.words, dirty.Mask)
	dirty.Mask = 0
	if any {
		builder.Bytes = b.appendPacket(builder.Bytes, b.scratch)
	}
	return any
}

// create appends the parts of an entity's create block: the block, what is left of its walk, and its auras.
func (b *blockWriter) create(builder *frame.Builder, e ecs.Entity) (block, companions frame.Span) {
	if b.unitless(e) {
		layout, _ := b.loadWords(e)
		s := update.Subject{GUID: b.objects.Get(e).GUID, Words: &b.words, Position: b.positions.Get(e)}
		if layout == b.gameObjects.layout {
			b.gameObjects.describe(e, &s)
		}
		builder.Bytes = layout.Create(builder.Bytes, &s)
		block = builder.Cut()
		return block, builder.Cut()
	}
	layout, subject := b.subject(e)
	if subject.Tail = b.tails.of(e); subject.Tail == nil {
		b.loadWords(e)
		b.scratch = layout.AppendTail(b.scratch[:0], &subject)
		subject.Tail = b.scratch
		b.tails.keep(e, subject.Tail)
	}
	builder.Bytes = layout.Create(builder.Bytes, &subject)
	block = builder.Cut()
	builder.Bytes = update.AppendWalk(builder.Bytes, subject.GUID, b.walks.Get(e), subject.Position, b.nowMs)
	builder.Bytes = b.appendAuras(builder.Bytes, subject.GUID, e)
	return block, builder.Cut()
}

// appendAuras appends the packet with the visible auras of an entity, nothing if there are none.
//
// Source: Player::GetAurasForTarget, AzerothCore.
func (b *blockWriter) appendAuras(dst []byte, guid uint64, e ecs.Entity) []byte {
	if !b.unitAuras.Has(e) || b.unitAuras.Get(e).Block == 0 {
		return dst
	}
	p := &b.auraUpdate
	p.Unit = guid
	p.Records = rules.AuraRecords(p.Records[:0], b.defs.Get(), b.nowMs, guid, b.auras.Get().At(b.unitAuras.Get(e).Block))
	if len(p.Records) == 0 {
		return dst
	}
	return msg.Packet(dst, wire.V12340, msg.OpAuraUpdateAll, p)
}

// subject is an entity as a create block has it. Its words are those loaded last.
func (b *blockWriter) subject(e ecs.Entity) (*update.Layout, update.Subject) {
	s := update.Subject{
		GUID: b.objects.Get(e).GUID, NowMs: b.nowMs, Words: &b.words,
		Position: b.positions.Get(e), Speeds: b.speeds.Get(e),
	}
	if b.creatures.Has(e) {
		return b.creature, s
	}
	s.Motion = b.motions.Get(e)
	return b.player, s
}

// appendSelf appends the packets with which a player first sees its items, and then itself: clients expect the items
// that the player's fields and bags refer to.
//
// Source: Player::BuildCreateUpdateBlockForPlayer, AzerothCore; protocol.md 4.2.
func (b *blockWriter) appendSelf(dst []byte, e ecs.Entity) []byte {
	guid, v := b.objects.Get(e).GUID, b.inventory.Get(e)
	b.updates.Begin(dst)
	for place := range v.Items {
		if v.Items[place].Counter != 0 {
			b.scratch = b.items.AppendCreate(b.scratch[:0], guid, v, place)
			b.updates.Block(b.scratch)
		}
	}
	b.loadWords(e)
	layout, subject := b.subject(e)
	subject.Self = true
	b.scratch = layout.Create(b.scratch[:0], &subject)
	b.updates.Block(b.scratch)
	return b.updates.End()
}

func (b *blockWriter) appendPacket(dst, block []byte) []byte {
	b.updates.Begin(dst)
	b.updates.Block(block)
	return b.updates.End()
}

// appendCharacter appends the last snapshot of a player that leaves the world, with all lists. A player that is
// transferred has its place on the other map.
func (b *blockWriter) appendCharacter(dst []byte, t sched.Tick, e ecs.Entity) []byte {
	b.records.Get(e).Version++
	b.saver.Take(t, e, &b.character, life.All)
	if to := b.transfers.Get(e); to.Going != 0 {
		b.character.Map, b.character.Zone = to.Map, to.Zone
		b.character.X, b.character.Y, b.character.Z, b.character.O = to.At.X, to.At.Y, to.At.Z, to.At.O
	}
	return msg.Append(dst, wire.V12340, &b.character)
}

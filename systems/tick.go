// Package systems is the tick of a world: lists the systems of a world in their order, and runs its ticks.
package systems

import (
	"cmp"
	"time"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/space"
	"muster/internal/metric"
	"muster/net/protocol/update"
	"muster/net/replication/change"
	"muster/net/replication/frame"
	"muster/sched"
	"muster/systems/ai"
	"muster/systems/aura"
	"muster/systems/combat"
	"muster/systems/condition"
	"muster/systems/death"
	"muster/systems/experience"
	"muster/systems/fall"
	"muster/systems/fanout"
	"muster/systems/gameevent"
	"muster/systems/gameobject"
	"muster/systems/gm"
	"muster/systems/goods"
	"muster/systems/gossip"
	"muster/systems/intake"
	"muster/systems/inventory"
	"muster/systems/logout"
	"muster/systems/loot"
	"muster/systems/movement"
	"muster/systems/persist"
	"muster/systems/reload"
	"muster/systems/respawn"
	"muster/systems/rules"
	"muster/systems/smartai"
	"muster/systems/social"
	"muster/systems/spell"
	"muster/systems/stats"
	"muster/systems/target"
	"muster/systems/threat"
	"muster/systems/trade"
	"muster/systems/trainer"
	"muster/systems/unit"
	"muster/systems/vendor"
	"muster/systems/visibility"
	"muster/systems/vitals"
)

// A slot is a system's place in the tick.
type slot struct {
	stage  sched.Stage
	system any // a Runner, Handler or Reactor of sched
}

// tick lists the systems of a world in the order in which they run. A request to an earlier system is handled in its
// React, after the stage and in the same tick (sched.Plan).
func tick() []slot {
	return []slot{
		{sched.Take, new(intake.Intake)},
		{sched.Take, new(intake.Resumes)},
		{sched.Take, new(reload.Reloads)},
		{sched.Take, new(gameevent.GameEvents)},

		{sched.Move, new(movement.TimeSync)},
		{sched.Move, new(movement.Speeds)},
		{sched.Move, new(movement.Roots)},
		{sched.Move, new(movement.ForcedMoves)},
		{sched.Move, new(movement.AreaTriggers)},
		{sched.Move, new(movement.Teleports)},
		{sched.Move, new(movement.Transfers)},
		{sched.Move, new(movement.Turns)},
		{sched.Move, new(movement.Acks)},
		{sched.Move, new(movement.MoveControl)},
		{sched.Move, new(movement.Movement)},
		{sched.Move, new(movement.Violations)},
		{sched.Move, new(movement.LinkDead)},
		{sched.Move, new(movement.WalkSteps)},

		{sched.See, new(visibility.Visibility)},

		{sched.Act, new(vitals.Regeneration)},
		{sched.Act, new(vitals.Mitigation)},
		{sched.Act, new(vitals.Vitals)},
		{sched.Act, new(vitals.CombatLog)},
		{sched.Act, new(vitals.HitGains)},

		{sched.Act, new(gm.GMCommands)},
		{sched.Act, new(gm.GMCheats)},
		{sched.Act, new(gm.GMEvents)},
		{sched.Act, new(gm.GMFigures)},
		{sched.Act, new(gm.GMHealth)},
		{sched.Act, new(gm.GMInfo)},
		{sched.Act, new(gm.GMMagic)},
		{sched.Act, new(gm.GMModes)},
		{sched.Act, new(gm.GMNPCs)},
		{sched.Act, new(gm.GMObjects)},
		{sched.Act, new(gm.GMPlaces)},
		{sched.Act, new(gm.GMAnswers)},

		{sched.Act, new(social.Chat)},
		{sched.Act, new(social.Emotes)},
		{sched.Act, new(social.Dances)},
		{sched.Act, new(social.Played)},
		{sched.Act, new(fall.FallDamage)},

		{sched.Act, new(unit.UnitFields)},
		{sched.Act, new(unit.Stances)},
		{sched.Act, new(target.Target)},

		{sched.Act, new(combat.AttackRequests)},
		{sched.Act, new(combat.Attacks)},
		{sched.Act, new(combat.Swings)},
		{sched.Act, new(combat.WeaponHits)},

		{sched.Act, new(spell.Spellbooks)},
		{sched.Act, new(spell.Lessons)},
		{sched.Act, new(spell.Cooldowns)},
		{sched.Act, new(spell.CastInterrupts)},
		{sched.Act, new(spell.Casts)},
		{sched.Act, new(spell.AutoShots)},
		{sched.Act, new(spell.CastRequests)},
		{sched.Act, new(spell.CasterChecks)},
		{sched.Act, new(spell.TargetChecks)},
		{sched.Act, new(spell.CastCosts)},
		{sched.Act, new(spell.CastStarts)},
		{sched.Act, new(spell.SpellLocks)},
		{sched.Act, new(spell.SpellTargets)},
		{sched.Act, new(spell.SpellRolls)},
		{sched.Act, new(spell.Missiles)},
		{sched.Act, new(spell.SpellHits)},
		{sched.Act, new(spell.DamageEffects)},
		{sched.Act, new(spell.HealEffects)},
		{sched.Act, new(spell.ThreatEffects)},
		{sched.Act, new(spell.DispelEffects)},
		{sched.Act, new(spell.MoveEffects)},
		{sched.Act, new(spell.CallEffects)},
		{sched.Act, new(spell.AuraEffects)},

		{sched.Act, new(aura.AuraBreaks)},
		{sched.Act, new(aura.AppliedAuras)},
		{sched.Act, new(aura.AuraPulses)},
		{sched.Act, new(aura.AuraPackets)},
		{sched.Act, new(aura.AuraStates)},
		{sched.Act, new(aura.FearRuns)},

		{sched.Act, new(gameobject.Uses)},
		{sched.Act, new(gameobject.Switches)},
		{sched.Act, new(gameobject.Chairs)},

		{sched.Act, new(inventory.ItemRequests)},
		{sched.Act, new(gossip.GossipRequests)},
		{sched.Act, new(loot.LootRequests)},
		{sched.Act, new(condition.Condition)},
		{sched.Act, new(gossip.Gossip)},
		{sched.Act, new(vendor.VendorRequests)},
		{sched.Act, new(vendor.VendorConditions)},
		{sched.Act, new(vendor.Vendor)},
		{sched.Act, new(trainer.TrainerRequests)},
		{sched.Act, new(trainer.Trainer)},
		{sched.Act, new(trade.TradeRequests)},
		{sched.Act, new(trade.Trade)},
		{sched.Act, new(loot.LootConditions)},
		{sched.Act, new(loot.Loot)},

		{sched.Settle, new(experience.KillExperience)},
		{sched.Settle, new(experience.Experience)},
		{sched.Settle, new(death.ResurrectOffers)},
		{sched.Settle, new(death.CorpseReclaims)},
		{sched.Settle, new(death.SpiritHealers)},
		{sched.Settle, new(death.PlayerDeaths)},
		{sched.Settle, new(death.Spirits)},
		{sched.Settle, new(death.CorpseQueries)},
		{sched.Settle, new(death.Ghosts)},
		{sched.Settle, new(death.Corpses)},
		{sched.Settle, new(gameobject.GameObject)},
		{sched.Settle, new(gameobject.ObjectRemovals)},
		{sched.Settle, new(gameobject.ObjectSpawner)},
		{sched.Settle, new(loot.Drops)},
		{sched.Settle, new(loot.LootableFlags)},
		{sched.Settle, new(inventory.Outfit)},
		{sched.Settle, new(inventory.ItemGUIDs)},
		{sched.Settle, new(inventory.Inventory)},
		{sched.Settle, new(inventory.Exchanges)},
		{sched.Settle, new(inventory.ItemReports)},
		{sched.Settle, new(inventory.Money)},
		{sched.Settle, new(logout.Logout)},
		{sched.Settle, new(threat.ThreatSources)},
		{sched.Settle, new(threat.ThreatLists)},
		{sched.Settle, new(threat.CombatStates)},
		{sched.Settle, new(threat.ThreatReports)},
		{sched.Settle, new(threat.LootRecipients)},
		{sched.Settle, new(respawn.Respawn)},
		{sched.Settle, new(respawn.Summons)},
		{sched.Settle, new(respawn.Removals)},
		{sched.Settle, new(respawn.Forgets)},
		{sched.Settle, new(respawn.Spawner)},
		{sched.Settle, new(respawn.Formations)},
		{sched.Settle, new(respawn.Addons)},
		{sched.Settle, new(gameevent.EventLooks)},
		{sched.Settle, new(gm.GMSpawns)},
		{sched.Settle, new(stats.Stats)},
		{sched.Settle, new(stats.StatEffects)},

		{sched.Think, new(smartai.ScriptReloads)},
		{sched.Think, new(smartai.ScriptEvents)},
		{sched.Think, new(smartai.ScriptNotices)},
		{sched.Think, new(smartai.Scripts)},
		{sched.Think, new(smartai.ScriptSenses)},
		{sched.Think, new(smartai.ScriptFoes)},
		{sched.Think, new(smartai.ScriptTargets)},
		{sched.Think, new(smartai.Talks)},
		{sched.Think, new(smartai.Speeches)},
		{sched.Think, new(smartai.ScriptLooks)},
		{sched.Think, new(smartai.ScriptShapes)},
		{sched.Think, new(smartai.ScriptCasts)},
		{sched.Think, new(smartai.ScriptFights)},
		{sched.Think, new(smartai.ScriptPowers)},
		{sched.Think, new(smartai.ScriptSteps)},
		{sched.Think, new(smartai.ScriptSummons)},
		{sched.Think, new(smartai.ScriptObjects)},
		{sched.Think, new(smartai.ScriptStates)},
		{sched.Think, new(smartai.ScriptMoves)},
		{sched.Think, new(smartai.ScriptGossips)},

		{sched.Think, new(ai.AITimers)},
		{sched.Think, new(ai.Wakes)},
		{sched.Think, new(ai.Orders)},
		{sched.Think, new(ai.Posts)},
		{sched.Think, new(ai.AIDispatch)},
		{sched.Think, new(ai.Victims)},
		{sched.Think, new(ai.Fights)},
		{sched.Think, new(ai.CreatureSpells)},
		{sched.Think, new(ai.Chases)},
		{sched.Think, new(ai.Fleeing)},
		{sched.Think, new(ai.Evading)},
		{sched.Think, new(ai.Defenses)},
		{sched.Think, new(ai.Aggro)},
		{sched.Think, new(ai.Servants)},
		{sched.Think, new(ai.OwnerDefenses)},
		{sched.Think, new(ai.Follows)},
		{sched.Think, new(ai.Guards)},
		{sched.Think, new(ai.Assistance)},
		{sched.Think, new(ai.Engagements)},
		{sched.Think, new(ai.Idles)},
		{sched.Think, new(ai.Wanders)},
		{sched.Think, new(ai.Arrivals)},
		{sched.Think, new(ai.Waypoints)},
		{sched.Think, new(ai.ScriptWalks)},
		{sched.Think, new(ai.Followers)},
		{sched.Think, new(ai.Errands)},
		{sched.Think, new(ai.CreatureWalks)},

		{sched.Keep, new(persist.SaveTurns)},
		{sched.Keep, new(persist.SaveLists)},
		{sched.Keep, new(persist.CharacterSaves)},

		{sched.Send, new(loot.TappedFlags)},
		{sched.Send, new(fanout.FanOut)},
	}
}

// bindSystems binds the systems of a world, in their order.
func bindSystems(w *ecs.World) (systems []sched.System) {
	for _, s := range tick() {
		systems = append(systems, sched.Bind(w, s.stage, s.system))
	}
	return systems
}

// Config is what a world is made of.
type Config struct {
	Defs    *defs.World
	Map     *defs.Map
	Seed    uint64
	Quantum time.Duration // the time that the number of a tick counts; default 50 ms
	Metric  *metric.Table // default: a table of its own
	// Strikes is the number of invalid movement reports of a player within a minute after which its connection is
	// closed. Default 10.
	Strikes uint32

	// Reclaim is the way in which dead players reclaim their corpses; default death.Anywhere.
	Reclaim death.Reclaim

	// XPRate is the factor of experience from kills; default 1.
	XPRate float32

	// Ephemeral worlds keep nothing: snapshots of players are taken every persist.Glance only, for /who.
	Ephemeral bool

	// ShareEvery is about the time between two shares of the entities in Digest; default the constant of that name, 200 ms.
	ShareEvery time.Duration
}

// A World is one map and everything in it. One goroutine owns it. It is a function: the frame of a tick follows from
// the inboxes of all ticks so far, and from nothing else.
type World struct {
	config      Config
	ecs         *ecs.World
	plan        *sched.Plan
	inbox       *frame.Inbox
	output      *fanout.Output
	space       *space.Space
	players     *ecs.Filter1[components.Session]
	loadCounter loadCounter

	tick      uint64     // the last one
	inspector *inspector // nil until the first query
	digester  *digester  // nil until the first hash
	parts     *whole     // nil until the first snapshot
	behind    int        // bytes beyond the component tables in the last snapshot
}

// New returns a world as of tick 0. Its creatures spawn where observers are.
func New(c Config) *World {
	w := build(c)
	w.start(bindSystems(w.ecs))
	return w
}

// build makes what systems share.
func build(c Config) *World {
	if c.Quantum == 0 {
		c.Quantum = 50 * time.Millisecond
	}
	c.ShareEvery = cmp.Or(c.ShareEvery, ShareEvery)
	if c.Metric == nil {
		c.Metric = new(metric.Table)
	}
	w := &World{
		config: c, ecs: ecs.NewWorld(1024), inbox: new(frame.Inbox), output: new(fanout.Output), space: new(space.Space),
	}
	reload.Share(w.ecs, c.Defs, c.Map)
	ecs.Share(w.ecs, c.Metric)
	ecs.Share(w.ecs, w.inbox)
	ecs.Share(w.ecs, new(intake.Sessions))
	ecs.Share(w.ecs, &movement.Limits{Violations: c.Strikes})
	ecs.Share(w.ecs, &persist.Rate{Seldom: c.Ephemeral})
	ecs.Share(w.ecs, w.output)
	ecs.Share(w.ecs, w.space)
	ecs.Share(w.ecs, change.NewLog(w.ecs))
	rules.Share(w.ecs)
	goods.Share(w.ecs)
	loot.Share(w.ecs)
	ecs.Share(w.ecs, &death.Config{Reclaim: c.Reclaim})
	rate := experience.Rate(c.XPRate)
	ecs.Share(w.ecs, &rate)
	w.players = ecs.NewFilter1[components.Session](w.ecs)
	w.loadCounter = newLoadCounter(w.ecs)
	return w
}

// start runs tick 0.
func (w *World) start(systems []sched.System) {
	w.plan = sched.NewPlan(w.ecs.EndStage, systems...)
	w.plan.FollowEvents(w.ecs.Emitted)
	w.plan.CountLate(w.config.Metric.Counter("tick.late_reaction"))
	var none frame.Frame
	w.Tick(0, &none)
}

// Inbox is what the next tick reads. Fill and seal it before Tick, which empties it.
func (w *World) Inbox() *frame.Inbox { return w.inbox }

// Tick runs tick n and writes its frame. Ticks ascend; a step may be any number of units.
func (w *World) Tick(n uint64, into *frame.Frame) {
	w.output.Frame = into
	w.loadCounter.items, w.loadCounter.bytes = w.inbox.Len(), w.inbox.Size()
	at := sched.Tick{
		N: n, NowMs: uint32(time.Duration(n) * w.config.Quantum / time.Millisecond), Quantum: w.config.Quantum, Seed: w.config.Seed,
	}
	if update.Verify {
		w.ecs.CheckWrites(func() { w.plan.Run(at) })
	} else {
		w.plan.Run(at)
	}
	w.ecs.EndTick()
	w.inbox.Reset()
	w.tick = n
}

// Players is how many players are in the world.
func (w *World) Players() int { return w.players.Count() }

// Sessions appends the sessions of all players.
func (w *World) Sessions(to []uint32) []uint32 {
	for q := w.players.Iter(); q.Next(); {
		to = append(to, q.Get().ID)
	}
	return to
}

// Characters visits the session and the GUID of each player.
func (w *World) Characters(visit func(session uint32, guid uint64)) {
	objects := ecs.NewAccessor[components.Object](w.ecs)
	for q := w.players.Iter(); q.Next(); {
		visit(q.Get().ID, objects.Get(q.Entity()).GUID)
	}
}

// ForgetItemGUIDs drops the GUIDs for items that the world was given and has asked for: it asks for others. It is for a world
// that is continued without the gateway that has given them.
func (w *World) ForgetItemGUIDs() { *ecs.Shared[goods.Mint](w.ecs) = goods.Mint{} }

// Awake is the number of entities that the last tick simulated: those that an observer may see.
func (w *World) Awake() int { return len(w.space.Order.All()) }

// Reloading reports whether a part of the definitions is complete and does not count yet.
func (w *World) Reloading() bool { return ecs.Shared[reload.Definitions](w.ecs).Waiting > 0 }

// Plan is the bound systems in their order.
func (w *World) Plan() *sched.Plan { return w.plan }

// EventTypes lists the types of events of the world.
func (w *World) EventTypes() []ecs.EventType { return w.ecs.EventTypes() }

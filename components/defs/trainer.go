package defs

// A Trainer is what the creatures of an entry teach.
type Trainer struct {
	Entry       uint32 // of the creatures; not 0
	Kind        TrainerKind
	Requirement uint32 // what a student must be or know: a class, a race or a known spell, by Kind; 0 everyone
	Greeting    string
	Spells      []TrainerSpell // by ascending Spell, each once
}

// A TrainerKind is what a Trainer teaches.
//
// Source: Trainer::IsTrainerValidForPlayer, AzerothCore.
type TrainerKind uint8

// The kinds.
const (
	TrainerClass      TrainerKind = iota // Requirement is a class
	TrainerMount                         // Requirement is a race
	TrainerProfession                    // Requirement is a spell
	TrainerPet                           // Requirement is a class
	TrainerKinds
)

// A TrainerSpell is one spell of a Trainer.
type TrainerSpell struct {
	Spell     uint32
	Copper    uint32
	Skill     uint32 // that is needed; 0 none
	SkillRank uint32
	Abilities [3]uint32 // spells that are to be known; 0 none
	Level     uint8
}

// Trainer is what creatures of an entry teach, or nil if there is no such trainer. It aliases the World. The cost is logarithmic
// in the number of trainers.
func (w *World) Trainer(entry uint32) *Trainer {
	i, ok := find(len(w.Trainers), entry, func(i int) uint32 { return w.Trainers[i].Entry })
	if !ok {
		return nil
	}
	return &w.Trainers[i]
}

// Teaches is whether a player of a class and race may learn of a trainer; knows reports which spells it knows.
//
// Source: Trainer::IsTrainerValidForPlayer, AzerothCore.
func (t *Trainer) Teaches(class, race uint8, knows func(spell uint32) bool) bool {
	if t.Requirement == 0 {
		return true
	}
	switch t.Kind {
	case TrainerMount:
		return uint32(race) == t.Requirement
	case TrainerProfession:
		return knows(t.Requirement)
	}
	return uint32(class) == t.Requirement
}

package components

// MoveValidation is what is remembered of a player's movement in order to believe the next report of it. Times are
// the world's milliseconds but for ClientMs.
type MoveValidation struct {
	Known             uint32  // 1 after a report; what follows is good then
	SeenMs            uint32  // when the last report was read
	ClientMs          uint32  // its date on the client's clock
	Credit            float32 // yards that it may have gone at once
	Before            float32 // yards per second that it could do before it was slowed down, believed until
	BeforeMs          uint32
	ImmobileSinceMs   uint32  // since when a report was read while it may not move, 0 for not
	ImmobileYards     float32 // how far it has gone since then
	FallStartZ        float32 // the highest point of the fall that goes on
	Falling           uint32  // 1 while one does
	CorrectedMs       uint32  // when it was last told where it is
	Violations        uint32  // reports that were not believed
	ViolationsSinceMs uint32  // since the first of them
}

// lagMs is how long a client may go on at a speed that it has no more: until it learns of that, and until all
// that it sent before has arrived.
const lagMs = 10_000

// NoteSlowdown notes that a player could go at a speed until now.
func (p *MoveValidation) NoteSlowdown(speed float32, nowMs uint32) {
	p.Before, p.BeforeMs = max(speed, p.RecentSpeed(nowMs)), nowMs
}

// RecentSpeed is the speed that a player could go at a while ago, 0 if that is no more to be believed.
func (p *MoveValidation) RecentSpeed(nowMs uint32) float32 {
	if nowMs-p.BeforeMs > lagMs {
		return 0
	}
	return p.Before
}

package components

// MoveValidation is the state by which the next movement report of a player is validated. Times are world
// milliseconds, except ClientMs.
type MoveValidation struct {
	Known             uint32  // 1 after a report; what follows is valid then
	SeenMs            uint32  // when the last report was read
	ClientMs          uint32  // its time on the client's clock
	Credit            float32 // yards that it may move at once
	Before            float32 // yards per second before it was slowed down, accepted until
	BeforeMs          uint32
	ImmobileSinceMs   uint32  // time of the first report while it may not move, 0 for none
	ImmobileYards     float32 // how far it has moved since then
	FallStartZ        float32 // the highest point of the current fall
	Falling           uint32  // 1 while it falls
	CorrectedMs       uint32  // when its position was last corrected
	Violations        uint32  // invalid reports
	ViolationsSinceMs uint32  // since the first of them
	Control           uint32  // ControlServer and following, as of its last report
}

// Bits of MoveValidation.Control: what a player's reports may be about.
const (
	ControlServer uint32 = 1 << iota // the server moves the player, and its client has been sent that
	ControlHeld                      // it may not move: it is dead, or an aura stuns or roots it
	ControlMaster                    // it is a game master, which is not checked
)

// lagMs is how long a client may move at a speed that it has lost: until it is sent that, and until all that it sent
// before has arrived.
const lagMs = 10_000

// NoteSlowdown notes that a player had a speed until now.
func (p *MoveValidation) NoteSlowdown(speed float32, nowMs uint32) {
	p.Before, p.BeforeMs = max(speed, p.RecentSpeed(nowMs)), nowMs
}

// RecentSpeed is the speed that a player had a while ago, 0 if it is too long ago to be accepted.
func (p *MoveValidation) RecentSpeed(nowMs uint32) float32 {
	if nowMs-p.BeforeMs > lagMs {
		return 0
	}
	return p.Before
}

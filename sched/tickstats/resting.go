package tickstats

// Resting reports that the world is not stepped: its last tick left it without players and awake entities, or there has
// been none. What Last and Summary have is from before. A world whose tick runs, or was abandoned, does not rest.
func (p *Stats) Resting() bool {
	begun := p.number.Load()
	t, ok := p.Latest()
	if !ok {
		return begun == 0
	}
	return t.N == begun && t.Load.Players == 0 && t.Load.Awake == 0
}

package gateway

// A Located is a player in a world, by the claim of its account.
type Located struct {
	Account uint32
	Fence   uint64
	Map     uint32
	Slot    int // of the instance; 0 the world of the map
}

// Located lists the players in worlds whose accounts are claimed.
func (g *Gate) Located() (all []Located) {
	g.roster.mu.Lock()
	defer g.roster.mu.Unlock()
	for _, p := range g.roster.numbers {
		if p != nil && !p.out && p.fence != 0 {
			all = append(all, Located{p.account, p.fence, p.worldLink.id, p.worldLink.slot})
		}
	}
	return all
}

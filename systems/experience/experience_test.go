package experience

import "testing"

// Source: Acore::XP::Gain, AzerothCore, by hand; some eight levels below the player a kill gives no experience.
func TestBaseGain(t *testing.T) {
	for _, c := range []struct{ player, creature, want uint32 }{
		{1, 1, 50}, {1, 2, 53}, {1, 5, 60}, {1, 60, 60}, {5, 1, 14}, {6, 1, 0}, {10, 10, 95}, {10, 9, 81}, {10, 4, 0},
		{20, 13, 0}, {20, 14, 65}, {60, 60, 345}, {60, 51, 0}, {60, 52, 182}, {60, 61, 562}, {70, 70, 585}, {70, 62, 309},
		{80, 80, 980}, {80, 85, 1176}, {80, 71, 0}, {80, 72, 518},
	} {
		if got := BaseGain(c.player, c.creature); got != c.want {
			t.Errorf("level %d has %d of a level %d, want %d", c.player, got, c.creature, c.want)
		}
	}
	for player := uint32(1); player <= 80; player++ {
		last := uint32(0)
		for creature := uint32(1); creature <= 85; creature++ {
			gain := BaseGain(player, creature)
			if gain < last || (gain == 0) != (creature <= GreyLevel(player)) {
				t.Errorf("level %d has %d of a level %d and %d of one less", player, gain, creature, last)
			}
			last = gain
		}
	}
}

func TestRate(t *testing.T) {
	for _, c := range []struct{ set, want float32 }{{0, 1}, {1, 1}, {0.5, 0.5}, {10, 10}} {
		if got := Rate(c.set).factor(); got != c.want {
			t.Errorf("a rate of %v is %v, want %v", c.set, got, c.want)
		}
	}
}

package upgrade

import (
	"strings"
	"testing"
)

// A world is not handed to a process that the gateways of the realm could not play in: of other templates, or with another version of the bus.
func TestUpgradePlanProblems(t *testing.T) {
	has := Answer{Role: RoleWorker, Process: "one", Release: "a", State: StateHas, Made: 5, Bus: 3}
	for _, c := range []struct {
		made uint64
		bus  int
		want string
	}{
		{5, 3, ""},
		{6, 3, "Map 0: the world of two is made of other templates, and its gateways could not play in it.\nMap 0: gateway 1 has a world of other templates, and could not play in that of two."},
		{5, 4, "Map 0: gateway 1 has version 3 of the bus, and two version 4: they would not hear each other."},
	} {
		plan := makePlan([]Answer{
			{Role: RoleWorker, Process: "two", Release: "b", State: StateWaits, Made: c.made, Bus: c.bus},
			{Role: roleGateway, Process: "three", Release: "a", Gateway: 1, Made: 5, Bus: 3},
			has,
		})
		if got := strings.Join(plan.problems(nil), "\n"); got != c.want || !plan.moves() {
			t.Errorf("of templates %d and version %d: moves %t, problems\n%s\nwant\n%s", c.made, c.bus, plan.moves(), got, c.want)
		}
	}
}

package main

import (
	"fmt"
	"testing"

	"muster/loaders/registry"
)

// The pages of a gateway and of an orchestrator, which have no worlds, list those of the cluster, and show the players on each, wherever they are
// and whichever gateway they play through. So does that of a worker with the worlds of others.
func TestPageOfCluster(t *testing.T) {
	waits(t)
	p := startGateways(t)
	letIn(t, p.served, 20, "walk")
	pages := make(map[string]string) // by role
	eventually(t, "the worlds have all players", func() bool {
		l := p.list()
		for _, q := range l.Processes {
			pages[q.Role] = q.Addresses["admin"]
		}
		return len(l.Shards) == 3 && l.Shards[0].Players+l.Shards[1].Players+l.Shards[2].Players == 20
	})
	for _, role := range []string{registry.RoleGateway, registry.RoleOrchestrate, registry.RoleWorker} {
		b := browse(t, "http://"+pages[role]+"/")
		b.allowed = "502 (Bad Gateway)" // a worker may take too long to answer on a busy machine, and the page asks again
		b.until(`document.querySelectorAll('#shards tr').length === 3 && $('everywhere').textContent === '20 players'`)
		for id := range 3 { // each is shown, and together they have all players
			b.do(fmt.Sprintf(`document.querySelectorAll('#shards button')[%d].click()`, id))
			b.until(fmt.Sprintf(`page.map === %d && page.cluster.shards[%d].players === Number($('players').textContent)`, id, id))
		}
		b.do(`document.querySelector('#shards button').click()`)
		b.until(`[...page.things.values()].filter(t => t.kind === 1).length === 20`)
		who := see[string](b, `[...page.things].find(([g, t]) => t.kind === 1)[0]`)
		before := see[[]float64](b, fmt.Sprintf(`(t => [t.x, t.y])(page.things.get(%q))`, who))
		b.until(fmt.Sprintf(`(t => Math.hypot(t.x - %v, t.y - %v) > 1)(page.things.get(%q))`, before[0], before[1], who))
		b.do(fmt.Sprintf(`select(%q)`, who))
		b.until(`!!page.entity?.name && $('who').textContent === page.entity.name`)
		b.do(`const get = fetch; let refused = 2; fetch = (...a) => refused-- > 0 ? Promise.resolve(new Response('', { status: 502 })) : get(...a);
			grounds.clear(); spawns.clear(); choose(page.map)`) // as from a map that is between two workers: it is asked for again
		b.until(`grounds.get(page.map)?.width > 0 && spawns.get(page.map)?.length > 0`)
		if role == registry.RoleGateway {
			b.accessible("of a cluster")
			b.picture("cluster.png")
		}
	}
}

package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"muster/cmd/internal/clusterview"
	"muster/loaders/registry"
	"muster/net/protocol/msg"
)

// mayBeLate is what a browser says of a worker, or the registry, that takes too long to answer on a busy machine: the page says it, too, and asks again.
var mayBeLate = []string{"502 (Bad Gateway)", "503 (Service Unavailable)"}

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
		b.allowed = mayBeLate
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

// The search of a page finds the players of other gateways, too, in whichever worlds they are, also instances, and goes to where one is.
func TestPageFindsPlayers(t *testing.T) {
	waits(t)
	p := startGateways(t, "--open-level", "3")
	for i, name := range []string{"Anna", "Berta", "Bertina"} {
		v := authenticate(t, p.served, strings.ToUpper(name))
		v.greet(p.at(min(i, 1)), func(*msg.AuthSession) {})
		v.create(name)
		v.enter()
		if name == "Berta" {
			v.command(".teleport Dungeon")
			v.arrives(dungeonMap)
		}
	}
	p.lists("Anna", "1 0 0")
	p.lists("Berta", "2 3 1")
	p.lists("Bertina", "2 0 0")
	l := p.list()
	worker := func(id, instance uint32) string {
		i := slices.IndexFunc(l.Shards, func(s clusterview.Shard) bool { return s.Map == id && s.Instance == instance })
		if i < 0 || l.Shards[i].Worker == nil {
			t.Fatalf("no worker has instance %d of map %d: %+v", instance, id, l.Shards)
		}
		return fmt.Sprint(*l.Shards[i].Worker)
	}
	for _, q := range l.Processes {
		if q.Role != registry.RoleOrchestrate && q.Addresses["world"] != p.live[0].Address { // not the gateway that has the ones of B
			continue
		}
		b := browse(t, "http://"+q.Addresses["admin"]+"/")
		b.allowed = mayBeLate
		b.until(`page.world !== null && $('anywhere').hidden`)
		names := see[map[uint32]string](b, `Object.fromEntries(page.world.maps.map(m => [m.id, m.name]))`)
		for _, s := range []struct {
			text, said string
			rows       [][]string
		}{
			{"anna", "1", [][]string{{"Anna", names[0], worker(0, 0), "1"}}},
			{"Bert", "2", [][]string{{"Berta", names[3] + " 1", worker(3, 1), "2"}, {"Bertina", names[0], worker(0, 0), "2"}}},
			{"ert", "no player has a name that begins so", [][]string{}},
			{"berta", "1", [][]string{{"Berta", names[3] + " 1", worker(3, 1), "2"}}},
		} {
			b.use(false, "#search")
			b.do(`$('search').select()`)
			b.run(chromedp.KeyEvent(s.text))
			rows, err := json.Marshal(s.rows)
			if err != nil {
				t.Fatal(err)
			}
			b.until(fmt.Sprintf(`$('found-count').textContent === %q && $('found-table').hidden === %t &&
				JSON.stringify([...$('found').children].map(tr => [...tr.children].map(td => td.textContent))) === %q`, s.said, len(s.rows) == 0, rows))
		}
		b.until(`$('sessions').children.length === 0`) // she is not at this process
		b.accessible("of a cluster, with a player of another gateway")
		b.use(false, "#found button")
		b.until(`page.map === 3 && page.instance === 1 && page.selected !== null && page.entity?.name === 'Berta' && page.entity.kind === 'player'`)
		b.picture("found-" + q.Role + ".png")
		b.do(`$('search').value = ''; $('search').dispatchEvent(new Event('input'))`)
		b.until(`$('anywhere').hidden`)
	}
}

// The search asks the registry when the text has not changed for a quarter of a second, not at each key, and never while the page is hidden.
func TestPageSearchWaits(t *testing.T) {
	s := serve(t, "--ephemeral")
	b := browse(t, "http://"+s.admin+"/")
	b.until(`page.world !== null && document.querySelectorAll('#maps button').length > 0`)
	b.do(`window.asked = []; window.pauses = new Map();
		const get = fetch, wait = setTimeout, stop = clearTimeout;
		let last = 1e9;
		fetch = (path, ...a) => {
			if (!path.startsWith('api/cluster')) return get(path, ...a);
			if (path.startsWith('api/cluster/players')) asked.push(new URL(path, location).searchParams.get('q'));
			return Promise.resolve(new Response(JSON.stringify({ shards: [], total: 0, players: [] })));
		};
		setTimeout = (f, ms) => ms === 250 ? (pauses.set(++last, f), last) : wait(f, ms);
		clearTimeout = id => { pauses.delete(id) || stop(id); };
		page.world.cluster = true`) // as if this were a process of a cluster, whose time to type ends when the test says so
	asked := func(want ...string) {
		t.Helper()
		if got := slices.Compact(see[[]string](b, `asked`)); !slices.Equal(got, want) {
			t.Errorf("the registry was asked for %q, want %q", got, want)
		}
	}
	b.use(false, "#search")
	for i := range "ann" {
		b.run(chromedp.KeyEvent("ann"[i : i+1]))
		b.until(fmt.Sprintf(`$('search').value === %q && pauses.size === 1 && !$('anywhere').hidden`, "ann"[:i+1]))
		b.do(`showFound()`) // as every two seconds
		asked()
	}
	b.do(`for (const [id, f] of pauses) { pauses.delete(id); f(); }`)
	b.until(`$('found-count').textContent === 'no player has a name that begins so'`)
	asked("ann")
	b.do(`Object.defineProperty(document, 'hidden', { configurable: true, get: () => true }); asked.length = 0; showFound()`)
	asked()
	b.do(`delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))`)
	asked("ann")
	b.do(`asked.length = 0; $('search').value = ''; $('search').dispatchEvent(new Event('input'))`)
	b.until(`pauses.size === 1 && $('anywhere').hidden`)
	b.do(`for (const f of pauses.values()) f()`)
	asked()
}

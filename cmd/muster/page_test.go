package main

import (
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/chromedp/chromedp"

	"muster/net/ops/page"
)

// letIn lets clients in, which stay until the test ends.
func letIn(t *testing.T, s *served, clients int, behaviour string) {
	t.Helper()
	cmd := exec.Command(binary, "swarm", "--auth", s.auth, "--accounts", "SEEN", "--password", "muster",
		"--clients", fmt.Sprint(clients), "--behaviour", behaviour, "--duration", "10m")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
}

// press presses a button.
func press(button string) chromedp.Action[chromedp.Void] { return chromedp.Click(chromedp.CSS(button)) }

// solitary is the GUID and the place on the screen of a thing that has no other near.
const solitary = `[...page.things].filter(([g, t]) => screenX(t.y) > 100 && screenX(t.y) < width() - 100 &&
	screenY(t.x) > 100 && screenY(t.x) < height() - 100 &&
	[...page.things].every(([h, o]) => g === h || Math.hypot(o.x - t.x, o.y - t.y) * page.view.scale > 30))
	.map(([g, t]) => ({ guid: g, at: [screenX(t.y), screenY(t.x)] }))`

// The page shows entities and where they go, and all components of the one that is clicked.
func TestPage(t *testing.T) {
	s := serve(t, "--ephemeral")
	letIn(t, s, 30, "walk")
	b := browse(t, "http://"+s.admin+"/")
	b.until(`page.things.size > 30 && !fitting && Number($('players').textContent) === 30`)

	who := see[string](b, `[...page.things].find(([g, t]) => t.kind === 1)[0]`)
	before := see[[]float64](b, fmt.Sprintf(`(t => [t.x, t.y])(page.things.get(%q))`, who))
	b.until(fmt.Sprintf(`(t => Math.hypot(t.x - %v, t.y - %v) > 1)(page.things.get(%q))`, before[0], before[1], who))
	frames := see[int](b, `page.frames`)
	b.until(fmt.Sprintf(`page.frames > %d && page.ticks.length > 20 && page.systems.includes('movement')`, frames+10))

	type target struct {
		GUID string
		At   [2]float64
	}
	var clicked target
	eventually(t, "what is clicked is selected", func() bool { // it may have moved on before it is hit
		for _, clicked = range see[[]target](b, solitary+`.slice(0, 1)`) {
			b.click(clicked.At)
		}
		return see[string](b, `String(page.selected)`) == clicked.GUID
	})
	b.until(fmt.Sprintf(`page.entity?.guid === %q`, clicked.GUID))
	names := see[[]string](b, `[...document.querySelectorAll('#components summary')].map(e => e.textContent)`)
	for _, want := range []string{"Object", "Position", "HomeCell", "Vitals", "Unit"} {
		if !slices.Contains(names, want) {
			t.Errorf("the components %q lack %s", names, want)
		}
	}
	shown := see[string](b, `[...document.querySelector('[data-name=Object] dl').children].map(e => e.textContent).join(' ')`)
	if !strings.Contains(shown, "GUID "+clicked.GUID) {
		t.Errorf("of its Object is shown %q", shown)
	}
	b.until(`document.querySelectorAll('#sessions tr').length === 30 && page.names.has("` + who + `")`)
	if !see[bool](b, `$('clock').hidden`) {
		t.Error("a real clock can be stopped")
	}
	r, err := http.Post("http://"+s.admin+"/api/clock", "application/json", strings.NewReader(`{"do":"pause"}`))
	if err != nil {
		t.Fatal(err)
	}
	text, _ := io.ReadAll(r.Body)
	r.Body.Close()
	if r.StatusCode != http.StatusConflict || !strings.Contains(string(text), "--clock virtual") {
		t.Errorf("pause is answered %d %q", r.StatusCode, text)
	}
	b.picture("page.png")
}

// A virtual clock stands until the page says run, runs, stops, and takes one step at a time. The end does not wait for it.
func TestVirtualClock(t *testing.T) {
	waits(t)
	s := serve(t, "--ephemeral", "--clock", "virtual", "--creatures", "2000")
	b := browse(t, "http://"+s.admin+"/")
	b.until(`page.events > 3`)
	if !see[bool](b, `!$('clock').hidden && page.clock.now_ms === 0 && page.tick === 0`) {
		t.Error("the clock does not stand at zero, or cannot be controlled")
	}
	if text := see[string](b, `$('tick').textContent`); text != "resting" {
		t.Errorf("the tick of a map without players is shown as %q", text)
	}
	b.run(press("#pause"))
	letIn(t, s, 5, "walk")
	b.until(`page.tick > 20 && !page.resting && Number($('players').textContent) === 5 && page.clock.speed === 1`)
	b.run(press("#pause"))
	b.until(`page.clock.speed === 0`)
	settled := func() int {
		b.t.Helper()
		events := see[int](b, `page.events`)
		b.until(fmt.Sprintf(`page.events > %d`, events+1)) // the last of them was asked for after the order
		return see[int](b, `page.tick`)
	}
	at := settled()
	if again := settled(); again != at {
		t.Errorf("tick %d follows %d, while the clock stands", again, at)
	}
	for i := range 3 {
		b.run(press("#step"))
		if got := settled(); got != at+i+1 {
			t.Errorf("step %d: tick %d, want %d", i+1, got, at+i+1)
		}
	}
	stood := see[int](b, `page.clock.now_ms`)
	b.run(chromedp.SetValue(chromedp.CSS("#speed"), "100"), press("#pause"))
	b.until(fmt.Sprintf(`page.clock.speed === 100 && page.clock.now_ms > %d && page.tick > %d`, stood+100_000, at+3))
	if n := see[int](b, `Number($('players').textContent)`); n != 5 {
		t.Errorf("%d players are left of 5 at a hundred times the speed", n)
	}
	b.run(press("#pause"))
	b.until(`page.clock.speed === 0`)
	b.allowed = []string{"net::ERR"} // what the page loads is refused from now on; a browser may say so after it shows that
	s.stop(syscall.SIGTERM, 1)
	b.until(`!$('lost').hidden`)
}

// Seen from far above, a hundred thousand creatures are a few numbers, and the page keeps drawing.
func TestPageOfManyCreatures(t *testing.T) {
	waits(t)
	s := serve(t, "--ephemeral", "--creatures", "100000")
	letIn(t, s, 50, "roam")
	b := browse(t, "http://"+s.admin+"/")
	b.until(`Number($('players').textContent) === 50 && !fitting && (spawns.get(page.map) || []).length > 100_000`)
	b.run(press("#whole"))
	b.until(`page.view.scale < 0.05 && page.things.size + (page.blocks ? page.blocks.blocks.length : 0) > 0`)
	frames, events := see[int](b, `page.frames`), see[int](b, `page.events`)
	for range 10 {
		b.until(fmt.Sprintf(`page.events > %d`, events))
		events = see[int](b, `page.events`)
		if n := see[int](b, `page.bytes`); n > page.MaxEvent {
			t.Errorf("an event has %d bytes, want at most %d", n, page.MaxEvent)
		}
	}
	if now := see[int](b, `page.frames`); now < frames+10 {
		t.Errorf("%d frames were drawn in ten events", now-frames)
	}
	b.picture("page-100000.png")
}

// The page shows an instance while there is one: under its number, and where its player is when that is clicked.
func TestPageShowsInstances(t *testing.T) {
	s := serve(t, "--ephemeral", "--creatures", "0", "--start", "one", "--open-level", "3", "--instance-empty", "1s")
	b := browse(t, "http://"+s.admin+"/")
	const has = `[...$('maps').children].some(b => b.dataset.world === '3.1')`
	b.until(`page.events > 1 && $('maps').children.length > 0 && !` + has)
	a := visit(t, s, "ANNA")
	a.create("Anna")
	a.enter()
	a.command(".teleport Dungeon")
	a.arrives(dungeonMap)
	b.until(has + ` && document.querySelector('#sessions button') !== null`)
	b.run(press(`#sessions button`))
	b.until(fmt.Sprintf(`page.map === %d && page.instance === 1 && page.entity?.guid === '%#x' && page.things.has(page.entity.guid)`, dungeonMap, a.guid))
	b.picture("instance.png")
	a.command(".teleport DungeonGate")
	a.arrives(0)
	b.until(`!` + has + ` && !$('lost').hidden`)
	b.run(press(`#maps button`))
	b.until(`page.map === 0 && page.instance === 0 && $('lost').hidden && page.tick > 0`)
}

// The page of a gateway whose worlds are in other processes, which it cannot ask without a registry, shows none of them and asks for none.
func TestPageWithoutWorlds(t *testing.T) {
	bus := startBus(t, 0)
	defer bus.Shutdown()
	args := []string{"--bus", bus.ClientURL(), "--creatures", "0"}
	work(t, args...)
	s := serve(t, append(args, "--ephemeral")...)
	b := browse(t, "http://"+s.admin+"/")
	b.until(`page.frames > 10`)
	if !see[bool](b, `source === null && $('maps').children.length === 0 && $('lost').hidden`) {
		t.Error("the page asks for a world that is not there")
	}
}

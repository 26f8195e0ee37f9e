package main

import (
	"context"
	_ "embed"
	"fmt"
	"math"
	"regexp"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// axeCore finds what keeps people from using a page.
//
//go:embed testdata/axe/axe.min.js
var axeCore string

// A finding is a rule of axe-core that a page breaks.
type finding struct {
	Rule, Impact, Help string
	Where              []string
}

// accessible wants no serious finding, and none that is worse.
func (b *browser) accessible(when string) {
	b.t.Helper()
	if !see[bool](b, `typeof axe === 'object'`) {
		b.do(axeCore)
	}
	b.do(`window.found = null; axe.run({ resultTypes: ['violations'] }).then(r => { window.found = r; })`)
	b.until(`window.found !== null`)
	if n := see[int](b, `found.passes.length`); n < 15 {
		b.t.Errorf("%s: only %d rules were applied", when, n)
	}
	for _, f := range see[[]finding](b, `found.violations.map(v => ({ Rule: v.id, Impact: v.impact, Help: v.help, Where: v.nodes.map(n => n.target.join(' ') + ': ' + n.failureSummary) }))`) {
		if f.Impact == "serious" || f.Impact == "critical" {
			b.t.Errorf("%s: %s, %s: %s at %q", when, f.Impact, f.Rule, f.Help, f.Where)
		}
	}
}

// touches sends a touch of some fingers, none for the end of it.
func (b *browser) touches(kind input.DispatchTouchEventType, at ...[2]float64) {
	b.t.Helper()
	p := input.DispatchTouchEventParams{Type: kind, TouchPoints: []*input.TouchPoint{}}
	for i, xy := range at {
		id := float64(i)
		p.TouchPoints = append(p.TouchPoints, &input.TouchPoint{X: xy[0], Y: xy[1], ID: &id})
	}
	b.run(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, input.DispatchTouchEvent, p)
		return err
	}))
}

// theme has the browser prefer light or dark colours.
func theme(name string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}},
		})
		return err
	})
}

// middle is the middle of an element on the screen.
func (b *browser) middle(selector string) (x, y float64) {
	b.t.Helper()
	at := see[[]float64](b, fmt.Sprintf(`(r => [r.x + r.width / 2, r.y + r.height / 2])(document.querySelector(%q).getBoundingClientRect())`, selector))
	return at[0], at[1]
}

// use clicks an element where it is seen, or taps it.
func (b *browser) use(touch bool, selector string) {
	b.t.Helper()
	b.do(fmt.Sprintf(`document.querySelector(%q).scrollIntoView({ block: 'center' })`, selector))
	x, y := b.middle(selector)
	if hit := see[bool](b, fmt.Sprintf(`(e => e && (e.closest(%[1]q) || e.contains(document.querySelector(%[1]q))) !== null)(document.elementFromPoint(%[2]v, %[3]v))`, selector, x, y)); !hit {
		b.t.Fatalf("%s is covered, at %v, %v", selector, x, y)
	}
	if touch {
		b.run(chromedp.TapXY(x, y))
	} else {
		b.run(chromedp.MouseClickXY(x, y))
	}
}

const rows = `[...$('sessions').children]`

// Everything on the page works on a phone, on a tablet and on a desk, and axe-core finds nothing serious in it, in light and dark colours.
func TestPageAtEverySize(t *testing.T) {
	waits(t)
	const clients = 60
	s := serve(t, "--ephemeral", "--start", "one", "--creatures", "3000")
	letIn(t, s, clients, "walk")
	b := browse(t, "http://"+s.admin+"/")
	for _, c := range []struct {
		name          string
		width, height int64
		touch         bool
		theme         string
	}{{"phone", 390, 844, true, "light"}, {"tablet", 820, 1180, true, "dark"}, {"desk", 1440, 900, false, "light"}} {
		var as []chromedp.EmulateViewportOption
		if c.touch {
			as = append(as, chromedp.EmulateMobile, chromedp.EmulateTouch)
		}
		b.run(theme(c.theme), chromedp.EmulateViewport(c.width, c.height, as...), chromedp.Navigate("http://"+s.admin+"/"))
		b.until(fmt.Sprintf(`typeof page === 'object' && page.things.size > 30 && !fitting && Number($('players').textContent) === %d && %s.length === %d`, clients, rows, clients))
		b.accessible(c.name)
		eventually(t, "a thing is selected", func() bool { // it may have moved on before it is hit
			for _, thing := range see[[]struct{ At [2]float64 }](b, solitary+`.slice(0, 1)`) {
				if at := thing.At; c.touch {
					b.run(chromedp.TapXY(at[0], at[1]))
				} else {
					b.click(at)
				}
			}
			return see[bool](b, `page.selected !== null`)
		})
		b.until(`page.entity !== null && $('components').children.length > 3`)
		b.use(c.touch, "#components details:last-child summary")
		b.until(`$('components').lastElementChild.open`)
		b.searches(c.touch, clients)
		b.accessible(c.name + " with a player selected")
		b.picture("page-" + c.name + ".png")
		b.use(c.touch, "#close")
		b.until(`$('entity').hidden && page.selected === null`)
		b.fits(c.name, c.width, c.touch)
		b.do(`scrollTo(0, 0)`)
		b.zooms(c.touch)
		b.use(c.touch, "#spans button:last-child")
		b.until(`chart.span === 600 && page.times[0] === '−10 min'`)
		b.use(c.touch, "#chart")
		b.until(`$('at').textContent !== ''`)
		b.use(c.touch, "#key summary")
		b.use(c.touch, "#whole")
		b.until(`page.view.scale < 0.1`)
	}
}

// searches finds one session of all, goes to its player, and sorts the others.
func (b *browser) searches(touch bool, clients int) {
	b.t.Helper()
	last := see[string](b, rows+`.at(-1).session.name`)
	b.use(touch, "#search")
	b.run(chromedp.KeyEvent(last))
	b.until(fmt.Sprintf(`%s.length === 1 && $('online').textContent === '1 of %d'`, rows, clients))
	b.use(touch, "#sessions button")
	b.until(fmt.Sprintf(`page.entity?.name === %q && /^received .*; sent .*B\/s; queued \d/.test($('network').textContent)`, last))
	b.do(`$('search').value = ''; $('search').dispatchEvent(new Event('input'))`)
	b.until(fmt.Sprintf(`%s.length === %d && $('more').hidden`, rows, clients))
	b.do(`sessions.n = 20; showSessions()`)
	b.until(rows + `.length === 20 && !$('more').hidden`)
	b.use(touch, "#more")
	b.until(fmt.Sprintf(`%s.length === %d && $('more').hidden`, rows, clients))
	b.use(touch, "#head th:nth-child(5) button")
	b.until(`$('head').children[4].ariaSort === 'descending' && ` + rows + `.every((tr, i, all) => i === 0 || all[i - 1].session.out_bytes >= tr.session.out_bytes)`)
	b.use(touch, "#head th:nth-child(1) button")
	b.until(`$('head').children[0].ariaSort === 'ascending' && ` + rows + `.every((tr, i, all) => i === 0 || all[i - 1].session.name < tr.session.name)`)
}

// fits wants nothing wider than the screen, and controls that a finger hits.
func (b *browser) fits(name string, width int64, touch bool) {
	b.t.Helper()
	if got := see[int64](b, `document.documentElement.scrollWidth`); got > width {
		b.t.Errorf("%s: the page is %d wide, of %d", name, got, width)
	}
	least := 24.0
	if touch {
		least = 40
	}
	for _, c := range see[[]struct {
		What       string
		W, H, L, R float64
	}](b, `[...document.querySelectorAll('button, select, input, summary')].filter(e => e.checkVisibility() && !e.closest('table')).map(e => (r =>
		({ What: e.id || e.textContent, W: r.width, H: r.height, L: r.left, R: r.right }))(e.getBoundingClientRect()))`) {
		if c.H < least || c.W < least || c.L < 0 || c.R > float64(width) {
			b.t.Errorf("%s: %q is %.0f by %.0f, from %.0f to %.0f of %d", name, c.What, c.W, c.H, c.L, c.R, width)
		}
	}
}

// zooms pinches the map with two fingers, or turns the wheel: what is between the fingers stays there.
func (b *browser) zooms(touch bool) {
	b.t.Helper()
	b.use(touch, "#fit")
	b.until(`!fitting && page.things.size > 30`)
	scale := see[float64](b, `page.view.scale`)
	x, y := b.middle("#things")
	x, y = x+20, y+30
	under := see[[]float64](b, fmt.Sprintf(`[worldX(%v), worldY(%v)]`, y, x))
	if touch {
		b.touches(input.DispatchTouchEventTypeTouchStart, [2]float64{x - 40, y}, [2]float64{x + 40, y})
		for _, d := range []float64{60, 80} {
			b.touches(input.DispatchTouchEventTypeTouchMove, [2]float64{x - d, y}, [2]float64{x + d, y})
		}
		b.touches(input.DispatchTouchEventTypeTouchEnd)
	} else {
		b.run(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseWheel, x, y, func(p *input.DispatchMouseEventParams) { p.DeltaX, p.DeltaY = 1e-9, -1000*math.Ln2/1.6 }))
	}
	b.until(fmt.Sprintf(`Math.abs(page.view.scale / %v - Math.min(2, 20 / %[1]v)) < 0.02`, scale))
	if now := see[[]float64](b, fmt.Sprintf(`[worldX(%v), worldY(%v)]`, y, x)); math.Hypot(now[0]-under[0], now[1]-under[1])*scale > 3 {
		b.t.Errorf("%v was between the fingers, and is %v", under, now)
	}
	if see[bool](b, `page.selected !== null`) {
		b.t.Error("a pinch selects")
	}
	b.use(touch, "#farther")
	b.until(fmt.Sprintf(`page.view.scale < %v`, 1.2*scale))
}

// The keyboard does all that a pointer does.
func TestPageByKeyboard(t *testing.T) {
	waits(t)
	s := serve(t, "--ephemeral", "--start", "one", "--creatures", "3000")
	letIn(t, s, 10, "walk")
	b := browse(t, "http://"+s.admin+"/")
	b.until(`page.things.size > 10 && !fitting && ` + rows + `.length === 10`)
	reached := func(keys string, want ...string) {
		t.Helper()
		var seen []string
		for range 60 {
			b.run(chromedp.KeyEvent(keys))
			seen = append(seen, see[string](b, `(e => e.id || e.textContent)(document.activeElement)`))
		}
		for _, w := range want {
			if !slices.Contains(seen, w) {
				t.Errorf("the key Tab does not reach %s, but %q", w, seen)
			}
		}
	}
	first := see[string](b, rows+`[0].session.name`)
	reached(kb.Tab, "things", "fit", "whole", "nearer", "farther", "10 s", "10 min", "chart", "search", "name", "queued", first)
	key := func(keys, then string) {
		t.Helper()
		b.run(chromedp.KeyEvent(keys))
		b.until(then)
	}
	b.do(`$('things').focus()`)
	scale, x, y := see[float64](b, `page.view.scale`), see[float64](b, `page.view.x`), see[float64](b, `page.view.y`)
	key("-", fmt.Sprintf(`page.view.scale < %v`, scale))
	key("+", fmt.Sprintf(`Math.abs(page.view.scale - %v) < 1e-6`, scale))
	key(kb.ArrowUp, fmt.Sprintf(`page.view.x > %v`, x))
	key(kb.ArrowLeft, fmt.Sprintf(`page.view.y > %v`, y))
	key(kb.ArrowDown, fmt.Sprintf(`Math.abs(page.view.x - %v) < 1e-6`, x))
	key(kb.ArrowRight, fmt.Sprintf(`Math.abs(page.view.y - %v) < 1e-6`, y))
	key(kb.Enter, `page.entity !== null && document.activeElement.id === 'things'`)
	who := see[string](b, `page.selected`)
	key("n", fmt.Sprintf(`page.entity !== null && page.selected !== %q`, who))
	key(kb.Escape, `page.selected === null`)
	key(kb.Home, `page.view.scale < 0.1`)
	b.do(`$('spans').lastElementChild.click()`) // of ten minutes: a mark that is older than what is shown goes
	b.until(`chart.columns.length > 1`)
	b.do(`$('chart').focus()`)
	key(kb.ArrowLeft, `$('at').textContent.startsWith('tick ')`)
	n := see[int](b, `chart.marked.n`)
	key(kb.ArrowLeft, fmt.Sprintf(`chart.marked.n < %d`, n))
	key(kb.Escape, `$('at').textContent === ''`)
	b.do(`$('maps').lastElementChild.focus()`)
	key(kb.Enter, `page.map > 0 && page.map === Number($('maps').lastElementChild.dataset.id)`)
	b.do(`document.querySelector('#sessions button').focus()`)
	key(kb.Enter, fmt.Sprintf(`page.entity?.name === %q && page.map === page.world.maps[0].id`, first))
	b.do(`$('close').focus()`)
	key(kb.Enter, `$('entity').hidden && document.activeElement.id === 'things'`)
}

// All players have their names where there is room, and no name lies over another; the chart has an axis of time, the budget,
// each spike, and always the same colours; another map begins with nothing of the one before.
func TestPageTellsAllAndNothingTwice(t *testing.T) {
	waits(t)
	const clients = 150 // more than the sessions that are listed
	s := serve(t, "--ephemeral", "--start", "one", "--creatures", "3000")
	letIn(t, s, clients, "walk")
	b := browse(t, "http://"+s.admin+"/")
	b.until(fmt.Sprintf(`page.things.size > %d && !fitting && page.names.size === %[1]d`, clients))
	b.until(`page.labels.length > 5`)
	if n := see[int](b, `(all => all.filter((a, i) => all.some((o, j) => i !== j && a.x < o.x + o.w && o.x < a.x + a.w && a.y < o.y + o.h && o.y < a.y + a.h)).length)(page.labels)`); n > 0 {
		t.Errorf("%d names lie over others", n)
	}
	if see[bool](b, `page.labels.some(l => l.text !== page.names.get(l.guid))`) {
		t.Error("a player has the name of another")
	}
	unnamed := `(() => { drawThings(); const share = Math.min(1, (performance.now() - arrived) / PERIOD), size = Math.max(1.6, Math.min(6, 1.7 + page.view.scale * 1.1));
		return [...page.things].filter(([guid, t]) => t.kind === 1 && !page.labels.some(l => l.guid === guid)).filter(([guid, t]) => {
			const [px, py] = at(t, share), x = px + size * 1.15 + 4, y = py - 6.5;
			return px > 2 && py > 2 && px < width() - 2 && py < height() - 2 &&
				!page.labels.some(l => x < l.x + l.w + 8 && l.x < x + 120 && y < l.y + l.h + 2 && l.y < y + 15);
		}).length; })()`
	for _, scale := range []float64{0.5, 2, 20} {
		b.do(fmt.Sprintf(`const who = [...page.things.values()].find(t => t.kind === 1); Object.assign(page.view, { x: who.x, y: who.y, scale: %v }); moved()`, scale))
		events := see[int](b, `page.events`)
		b.until(fmt.Sprintf(`page.events > %d && page.labels.length > 0`, events+2))
		b.until(unnamed + ` === 0`) // of one that walks in between there may be room a moment later
	}

	if got := see[[]string](b, `page.times`); !slices.Equal(got, []string{"−10 s", "−7.5 s", "−5 s", "−2.5 s", "now"}) {
		t.Errorf("the axis of time is %q", got)
	}
	b.until(`page.chart.budget === page.step_ms * 1000`)
	// A spike of one tick among 2,000 is in the chart, and is said to be longer than the axis.
	if got := see[[]int](b, `(points => { points[1234].took = 77000; const all = layOut(points, 340); return [all.length, Math.max(...all.map(c => c.p.took)), all.reduce((n, c) => n + c.late, 0)]; })
		(Array.from({ length: 2000 }, (_, i) => ({ n: chart.tick - 2000 + i + 1, step: 1, took: 1000, late: i === 1234 ? 1 : 0, spent: [], ticks: 1 })))`); got[0] < 300 || got[1] != 77000 || got[2] != 1 {
		t.Errorf("2,000 ticks are %d columns, the longest of %d µs, %d of them late", got[0], got[1], got[2])
	}
	b.until(`chart.seconds.length >= 5`)
	colours := `Object.fromEntries([...$('systems').children].map(li => [li.childNodes[1].textContent, li.firstElementChild.style.background]))`
	before := see[map[string]string](b, colours)
	b.use(false, "#spans button:nth-child(2)")
	b.until(`page.times[0] === '−1 min' && chart.columns.length >= 5`)
	after := see[map[string]string](b, colours)
	same := 0
	for name, colour := range after {
		if was, ok := before[name]; ok && was != colour {
			t.Errorf("%s was %s, and is %s", name, was, colour)
		} else if ok {
			same++
		}
	}
	if same < 3 || len(after) < 5 {
		t.Errorf("the legends are %v and %v", before, after)
	}
	x, y := b.middle("#chart")
	b.run(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y))
	b.until(`$('at').textContent !== ''`)
	if text := see[string](b, `$('at').textContent`); !regexp.MustCompile(`^tick [\d,]+, [\d.]+ s ago: [\d.]+ (µs|ms), in a step of \d+ ms`).MatchString(text) {
		t.Errorf("of a tick is said %q", text)
	}
	// A reader that comes back has lost nothing: the page asks for the ticks since the last.
	events := see[int](b, `(moved(), page.events)`)
	b.until(fmt.Sprintf(`page.events > %d`, events+4))
	b.until(`chart.ticks.every((t, i, all) => i === 0 || t.n - all[i - 1].n === t.step)`)

	who := see[string](b, `[...page.things].find(([g, t]) => t.kind === 1)[0]`)
	b.do(fmt.Sprintf(`select(%q)`, who))
	b.until(`page.entity !== null`)
	old := see[int](b, `(document.querySelector('#maps button:nth-child(2)').click(), page.things.size + page.ticks.length + chart.seconds.length + chart.columns.length
		+ (page.blocks ? 1 : 0) + (page.selected ? 1 : 0) + $('components').children.length + $('systems').children.length + page.labels.length)`)
	if old != 0 {
		t.Errorf("%d things of one map are left on another", old)
	}
	if text := see[string](b, `$('players').textContent + $('awake').textContent + $('asleep').textContent + $('tick').textContent + $('load').textContent + $('at').textContent + $('who').textContent`); text != "––––" {
		t.Errorf("of one map is left %q on another", text)
	}
	b.until(`page.resting && $('players').textContent === '0' && $('took').textContent.startsWith('this map has no players') && page.ticks.length === 0 && page.entity === null`)
	if see[bool](b, `$('entity').checkVisibility() || page.map !== page.world.maps[1].id`) {
		t.Error("the inspector shows what is on another map")
	}
}

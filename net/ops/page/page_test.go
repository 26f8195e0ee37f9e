package page

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image/png"
	"io"
	"io/fs"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"

	"go.uber.org/goleak"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/internal/metric"
	"muster/net/ops/admin"
	"muster/net/replication/inspect"
	"muster/sched"
	"muster/sched/tickstats"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m, goleak.IgnoreCurrent()) }

// A fixture is a page of one map, whose world answers as a test sets it.
type fixture struct {
	*Page
	metric *metric.Table
	server *httptest.Server
}

// hostile is what a player must not be called.
const hostile = `<b>"\`

// newPage is the page of one map, with its inspector.
func newPage(hand *sched.ClockDriver) (*Page, *inspect.Inspector) {
	m := &defs.Map{ID: 3, Name: hostile, Half: 500, Spawns: []defs.Spawn{{X: 1.6, Y: -2}, {X: -500, Y: 500}}}
	desk := inspect.NewInspector()
	return New(Config{
		Release: "v1", Step: 50 * time.Millisecond, ClockDriver: hand, Defs: &defs.World{Maps: []defs.Map{*m}},
		Worlds: []World{{m, desk, tickstats.New(3, m.Name, 50*time.Millisecond, 50*time.Millisecond, nil)}},
	}), desk
}

// serve answers an inspector until ctx is done.
func serve(ctx context.Context, desk *inspect.Inspector, answer func(*inspect.Query)) {
	for {
		select {
		case <-desk.Asked():
			desk.Serve(answer)
		case <-ctx.Done():
			return
		}
	}
}

func newFixture(t *testing.T, hand *sched.ClockDriver, answer func(*inspect.Query)) *fixture {
	page, desk := newPage(hand)
	f := &fixture{Page: page, metric: page.config.Metric}
	s, err := admin.New(admin.Config{Token: "0123456789abcdef", Parts: f.Parts()})
	if err != nil {
		t.Fatal(err)
	}
	f.server = httptest.NewServer(s)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		serve(ctx, desk, answer)
		close(done)
	}()
	t.Cleanup(func() {
		f.server.CloseClientConnections()
		f.server.Close()
		stop()
		<-done
		http.DefaultClient.CloseIdleConnections()
	})
	return f
}

func (f *fixture) request(t *testing.T, method, path, body string) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, f.server.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer 0123456789abcdef")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

func (f *fixture) ask(t *testing.T, method, path, body string) (status int, text string) {
	t.Helper()
	r := f.request(t, method, path, body)
	defer r.Body.Close()
	var b strings.Builder
	if _, err := bufio.NewReader(r.Body).WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, b.String()
}

// some answers with three things, and one entity.
func some(l *inspect.Query) {
	l.Tick, l.Players, l.Awake, l.Asleep = 7, 1, 2, 3
	if l.Box != (inspect.Box{}) {
		l.Things = append(l.Things[:0],
			inspect.Thing{GUID: 0xF130000000000002, X: 4, Y: 3, Kind: inspect.Creature, State: inspect.Asleep | inspect.Dead},
			inspect.Thing{GUID: 1, X: 0.25, Y: -1, Kind: inspect.Player, State: inspect.Fighting},
			inspect.Thing{GUID: 9, X: 8, Y: 8, Kind: inspect.Other})
	}
	if l.Found = l.GUID == 1; l.Found {
		w := ecs.NewWorld(1)
		e := ecs.NewArchetype(w, ecs.Of3[components.Name, components.Position, components.HomeCell]()...).Spawn()
		names, positions := ecs.NewAccessor[components.Name](w), ecs.NewAccessor[components.Position](w)
		names.Get(e).Set(hostile)
		*positions.Get(e) = components.Position{X: 0.1, Y: float32(math.NaN()), Z: -3}
		w.Copy(e, &l.Row)
		l.At = inspect.Thing{GUID: 1, X: 0.1, Y: 2, Kind: inspect.Player}
	}
}

func TestAnswers(t *testing.T) {
	f := newFixture(t, nil, some)
	for _, c := range []struct {
		method, path string
		status       int
		text         string
	}{
		{"GET", "/api/maps/3/entities?x=0&y=0&r=6", 200, `{"map":3,"tick":7,"entities":[` +
			`{"guid":"0x1","x":0.25,"y":-1,"kind":"player","state":["fighting"]},` +
			`{"guid":"0xf130000000000002","x":4,"y":3,"kind":"creature","state":["asleep","dead"]}]}` + "\n"},
		{"GET", "/api/maps/3/entities?x=0&y=0&r=1001", 400, "r is from 0 to 1000 yards\n"},
		{"GET", "/api/maps/3/entities?x=NaN&y=0&r=1", 400, "x is a number of yards within ±17067, not \"NaN\"\n"},
		{"GET", "/api/maps/3/entities?x=1e9&y=0&r=1", 400, "x is a number of yards within ±17067, not \"1e9\"\n"},
		{"GET", "/api/maps/4/entities?x=0&y=0&r=1", 404, "404 page not found\n"},
		{"GET", "/api/maps/3/entities?instance=1&x=0&y=0&r=1", 404, "404 page not found\n"},
		{"GET", "/api/maps/x/ground.png", 404, "404 page not found\n"},
		{"GET", "/api/maps/-1/spawns", 404, "404 page not found\n"},
		{"GET", "/api/entity/0x1", 200, `{"guid":"0x1","x":0.1,"y":2,"kind":"player","state":[],"name":"\u003cb\u003e\"\\","map":3,"instance":0,"tick":7,` +
			`"components":[{"name":"Name","fields":{"Name":"\u003cb\u003e\"\\"}},{"name":"Position","fields":{"X":0.1,"Y":"NaN","Z":-3,"O":0}},` +
			`{"name":"HomeCell","fields":{"Cell":"none","Prev":"none","Tick":0}}]}` + "\n"},
		{"GET", "/api/entity/2", 404, "no map has this entity\n"},
		{"GET", "/api/entity/0", 400, "a GUID is a number, as in 0xf130000001000002\n"},
		{"GET", "/api/entity/anna", 400, "a GUID is a number, as in 0xf130000001000002\n"},
		{"GET", "/api/clock", 200, `{"virtual":false,"speed":1,"now_ms":0}` + "\n"},
		{"POST", "/api/clock", 409, "the clock is the machine's: start with --clock virtual to stop and step it\n"},
		{"GET", "/api/events?map=3&minx=1&miny=0&maxx=1&maxy=1", 400, "the box is empty\n"},
		{"GET", "/api/events?map=3&minx=0&miny=0&maxx=1&maxy=1&guid=me", 400, "guid is a number\n"},
		{"GET", "/api/events?map=9", 404, "404 page not found\n"},
		{"GET", "/api/cluster", 404, "this server is one process: /api/world has its maps\n"},
		{"GET", "/elsewhere", 404, "404 page not found\n"},
		{"GET", "/api/world", 200, `{"release":"v1","step_ms":50,"unit_ms":50,"virtual":false,"cluster":false,"maps":[{"id":3,"name":"\u003cb\u003e\"\\","half":500,"zones":[],"spawns":2}]}` + "\n"},
	} {
		if status, text := f.ask(t, c.method, c.path, ""); status != c.status || text != c.text {
			t.Errorf("%s %s: %d %s, want %d %s", c.method, c.path, status, text, c.status, c.text)
		}
	}
	if _, text := f.ask(t, "GET", "/api/maps/3/spawns", ""); len(text) != 8 ||
		int16(binary.LittleEndian.Uint16([]byte(text))) != 2 || int16(binary.LittleEndian.Uint16([]byte(text[4:]))) != -500 {
		t.Errorf("the spawn points are % x", text)
	}
	_, text := f.ask(t, "GET", "/api/maps/3/ground.png", "")
	if image, err := png.Decode(strings.NewReader(text)); err != nil || image.Bounds().Dx() != groundSide {
		t.Errorf("the ground is no picture: %v", err)
	}
}

// The page, and anything of it, is refused without access; and nothing in it can become code. A map
// that was given up does not hide what is on others.
func TestOneMapDoesNotAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, desk := newPage(nil)
		given := p.config.Worlds[0]
		given.Inspector = inspect.NewInspector()
		p.config.Worlds = []World{given, p.config.Worlds[0]}
		ctx, stop := context.WithCancel(t.Context())
		var ends sync.WaitGroup
		ends.Go(func() { serve(ctx, desk, some) })
		for _, c := range []struct {
			guid   string
			status int
			begins string
		}{{"1", 200, `{"guid":"0x1",`}, {"2", 503, "this map does not answer\n"}} {
			r, answer := httptest.NewRequest("GET", "/api/entity/"+c.guid, nil), httptest.NewRecorder()
			r.SetPathValue("guid", c.guid)
			p.entity(answer, r)
			if text := answer.Body.String(); answer.Code != c.status || !strings.HasPrefix(text, c.begins) {
				t.Errorf("entity %s: %d %s", c.guid, answer.Code, text)
			}
		}
		stop()
		ends.Wait()
	})
}

func TestPageIsBehindTheDoor(t *testing.T) {
	f := newFixture(t, nil, some)
	for path, kind := range map[string]string{"/": "text/html", "/page.js": "text/javascript", "/map.js": "text/javascript", "/chart.js": "text/javascript", "/side.js": "text/javascript", "/page.css": "text/css"} {
		r := f.request(t, "GET", path, "")
		r.Body.Close()
		if h := r.Header; r.StatusCode != 200 || !strings.HasPrefix(h.Get("Content-Type"), kind) ||
			!strings.Contains(h.Get("Content-Security-Policy"), "default-src 'none'; script-src 'self';") || h.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %d %v", path, r.StatusCode, h)
		}
		stranger, err := http.Get(f.server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		stranger.Body.Close()
		if stranger.StatusCode != 401 {
			t.Errorf("%s is served without a token: %d", path, stranger.StatusCode)
		}
	}
	scripts, _ := fs.Glob(static, "static/*.js")
	if len(scripts) != 5 {
		t.Errorf("the scripts are %q", scripts)
	}
	for _, name := range scripts {
		script, _ := static.ReadFile(name)
		for _, word := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("} {
			if strings.Contains(string(script), word) {
				t.Errorf("%s has %s: what players are called could become code", name, word)
			}
		}
	}
}

const watch = "/api/events?map=3&minx=-10&miny=-10&maxx=10&maxy=10&guid=1"

// Events come one after another, and each has the ticks since the last.
func TestEvents(t *testing.T) {
	f := newFixture(t, nil, some)
	beat := f.config.Worlds[0].Stats
	beat.Finish(5, 1500*time.Microsecond, tickstats.Load{})
	r := f.request(t, "GET", watch, "")
	defer r.Body.Close()
	lines := bufio.NewScanner(r.Body)
	lines.Buffer(nil, MaxEvent)
	next := func() string {
		t.Helper()
		for lines.Scan() {
			if text, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				return text
			}
		}
		t.Fatalf("no more events: %v", lines.Err())
		return ""
	}
	const rest = `,"tick":7,"players":1,"awake":2,"asleep":3,"things":["0xf130000000000002",4.0,3.0,35,"0x1",0.2,-1.0,20,"0x9",8.0,8.0,0],"entity":{"guid":"0x1",`
	const head = `{"map":3,"instance":0,"clock":{"virtual":false,"speed":1,"now_ms":0}`
	if got, want := next(), head+`,"systems":[],"ticks":[[5,1,1500]],"seconds":[],"second":-1`+rest; !strings.HasPrefix(got, want) || !json.Valid([]byte(got)) {
		t.Errorf("the first event is\n%s, want\n%s", got, want)
	}
	beat.Finish(6, 2*time.Millisecond, tickstats.Load{})
	if got, want := next(), head+`,"ticks":[[6,1,2000]],"seconds":[],"second":-1`+rest; !strings.HasPrefix(got, want) {
		t.Errorf("the second event is\n%s, want\n%s", got, want)
	}
	if got, want := next(), head+`,"ticks":[],"seconds":[],"second":-1`+rest; !strings.HasPrefix(got, want) {
		t.Errorf("the third event is\n%s, want\n%s", got, want)
	}
}

func TestWatchersAreLimited(t *testing.T) {
	f := newFixture(t, nil, some)
	var all []*http.Response
	for range MaxWatchers {
		all = append(all, f.request(t, "GET", watch, ""))
	}
	if status, _ := f.ask(t, "GET", watch, ""); status != 503 || f.metric.Value("page.full") != 1 {
		t.Errorf("one more is answered %d, and counted %d times", status, f.metric.Value("page.full"))
	}
	for _, r := range all {
		r.Body.Close()
	}
	for deadline := time.Now().Add(2 * time.Minute); ; {
		r := f.request(t, "GET", watch, "")
		r.Body.Close()
		if r.StatusCode == 200 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("watchers that went left no room")
		}
	}
}

// A pipe is a listener with one connection, whose writes block until they are read.
type pipe struct {
	conns chan net.Conn
	net.Listener
}

func (p *pipe) Accept() (net.Conn, error) {
	if c, ok := <-p.conns; ok {
		return c, nil
	}
	return nil, net.ErrClosed
}
func (p *pipe) Close() error   { return nil }
func (p *pipe) Addr() net.Addr { return &net.TCPAddr{} }

// A watcher that does not read is disconnected, counted, and makes room.
func TestSlowWatchersAreSentAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, desk := newPage(nil)
		ctx, stop := context.WithCancel(t.Context())
		var ends sync.WaitGroup
		ends.Go(func() { serve(ctx, desk, some) })
		client, server := net.Pipe()
		l := &pipe{conns: make(chan net.Conn, 1)}
		l.conns <- server
		s := &http.Server{Handler: p.watch(p.local(p.events))}
		ends.Go(func() { s.Serve(l) })
		io.WriteString(client, "GET "+watch+" HTTP/1.1\r\nHost: here\r\n\r\n")
		if _, err := io.ReadFull(client, make([]byte, 600)); err != nil {
			t.Error(err)
		}
		time.Sleep(writeTime - time.Second)
		if n, slow := len(p.watchers), p.config.Metric.Value("page.slow"); n != 1 || slow != 0 {
			t.Errorf("in time, %d watch and %d were slow", n, slow)
		}
		time.Sleep(2 * time.Second)
		if n, slow := len(p.watchers), p.config.Metric.Value("page.slow"); n != 0 || slow != 1 {
			t.Errorf("then %d watch and %d were slow", n, slow)
		}
		client.Close()
		close(l.conns)
		s.Close()
		stop()
		ends.Wait()
	})
}

// everything is of a watcher that has been told nothing.
func everything() *told {
	t, _ := newTold(nil)
	return t
}

// A watcher is told all ticks of ten seconds, all seconds of ten minutes and all names, over as many events as that takes, and
// nothing twice; one that comes back goes on where it was.
func TestNothingIsLeftOut(t *testing.T) {
	p, _ := newPage(nil)
	p.config.Names = func(guid uint64) string { return map[uint64]string{1: "Anna", 3: "Bert"}[guid] }
	stats := tickstats.New(3, "", 5*time.Millisecond, 50*time.Millisecond, nil)
	of := &World{Map: p.config.Worlds[0].Map, Stats: stats}
	for n := uint64(1); n <= 140_000; n++ { // 700 s
		took := time.Millisecond
		if n%1000 == 500 {
			took = 7 * time.Millisecond
		}
		stats.Finish(n, took, tickstats.Load{})
	}
	l := &inspect.Query{Things: []inspect.Thing{{GUID: 1, Kind: inspect.Player}, {GUID: 2, Kind: inspect.Creature}, {GUID: 3, Kind: inspect.Player}}}
	type event struct {
		Ticks, Seconds [][]int64
		Second         int64
		Names          []string
	}
	next := func(has *told) (e event) {
		t.Helper()
		if err := json.Unmarshal(p.appendEvent(nil, of, l, nil, has), &e); err != nil {
			t.Fatal(err)
		}
		return e
	}
	has := everything()
	var ticks, seconds [][]int64
	first := next(has)
	for e := first; len(e.Ticks) > 0; e = next(has) {
		ticks, seconds = append(ticks, e.Ticks...), append(seconds, e.Seconds...)
	}
	if !slices.Equal(first.Names, []string{"0x1", "Anna", "0x3", "Bert"}) || len(first.Ticks) != ticksTold || len(first.Seconds) != secondsTold {
		t.Errorf("the first event has %d ticks, %d seconds and the names %q", len(first.Ticks), len(first.Seconds), first.Names)
	}
	if len(ticks) != 2000 || ticks[0][0] != 138_001 || !slices.Equal(ticks[499], []int64{138_500, 1, 7000}) || ticks[1999][0] != 140_000 {
		t.Errorf("%d ticks, from %d to %d", len(ticks), ticks[0], ticks[len(ticks)-1])
	}
	if len(seconds) != 600 || !slices.Equal(seconds[1], []int64{200, 0, 20_200, 1, 1000}) || !slices.Equal(seconds[2], []int64{200, 1, 20_500, 1, 7000}) {
		t.Errorf("%d seconds, from %d", len(seconds), seconds[:3])
	}
	back, err := newTold(url.Values{"tick": {"139990"}, "second": {"697"}})
	if err != nil {
		t.Fatal(err)
	}
	if e := next(back); len(e.Ticks) != 10 || len(e.Seconds) != 2 || e.Second != 699 {
		t.Errorf("one that comes back is told %+v", e)
	}
	for _, wrong := range []url.Values{{"tick": {"-1"}}, {"tick": {"now"}}, {"second": {"-2"}}, {"second": {"x"}}} {
		if _, err := newTold(wrong); err == nil {
			t.Errorf("%v is taken", wrong)
		}
	}
}

// A watcher that comes back to a server that has been started again is told its ticks and seconds: their numbers begin anew.
func TestTicksAfterARestart(t *testing.T) {
	p, _ := newPage(nil)
	stats := tickstats.New(3, "", 50*time.Millisecond, 50*time.Millisecond, nil)
	of := &World{Map: p.config.Worlds[0].Map, Stats: stats}
	has, err := newTold(url.Values{"tick": {"139990"}, "second": {"697"}})
	if err != nil {
		t.Fatal(err)
	}
	tell := func() string { return string(p.appendEvent(nil, of, new(inspect.Query), nil, has)) }
	if said := tell(); !strings.Contains(said, `"ticks":[],"seconds":[],"second":697`) {
		t.Errorf("before the first tick it is told %s", said)
	}
	for n := uint64(1); n <= 41; n++ { // two seconds are over
		stats.Finish(n, time.Millisecond, tickstats.Load{})
	}
	if said := tell(); !strings.Contains(said, `"ticks":[[1,1,1000],[2,1,1000]`) || !strings.Contains(said, `"second":1`) {
		t.Errorf("it is told %s", said)
	}
	if said := tell(); !strings.Contains(said, `"ticks":[],"seconds":[],"second":1`) {
		t.Errorf("then it is told %s", said)
	}
}

// Whatever is seen, an event is not larger than MaxEvent.
func TestEventsAreBounded(t *testing.T) {
	l := &inspect.Query{Tick: math.MaxUint64 >> 1, Players: 1e6, Awake: 1e6, Asleep: 1e6, GUID: 1, Found: true}
	for range inspect.MaxThings {
		l.Things = append(l.Things, inspect.Thing{GUID: math.MaxUint64, X: -grid.Limit, Y: -grid.Limit, Kind: inspect.Corpse, State: 15})
	}
	// The largest entity is a player, whose every word is as long as can be.
	w := ecs.NewWorld(1)
	e := ecs.NewArchetype(w, append(components.PlayerParts(), ecs.Of4[components.PlayerImage, components.Inventory, components.Spellbook, components.Auras]()...)...).Spawn()
	w.Copy(e, &l.Row)
	for _, c := range l.Row.Components() {
		for i := range c.Type().Size() {
			*(*byte)(unsafe.Add(c.Addr().UnsafePointer(), i)) = 0xFF
		}
	}
	f := newFixture(t, nil, some)
	of := &f.config.Worlds[0]
	var systems []sched.System
	for i := range 40 {
		systems = append(systems, sched.System{Name: fmt.Sprintf("a system with a name, number %d", i), Run: func(sched.Tick) {}})
	}
	of.Stats = tickstats.New(3, "", 5*time.Millisecond, time.Second, sched.NewPlan(func() {}, systems...))
	for n := range uint64(2000) {
		for i := range systems {
			of.Stats.End(i, 10*time.Second)
		}
		of.Stats.Finish(1<<36+(n-min(n, ticksTold))+200*min(n, ticksTold), time.Minute, tickstats.Load{})
	}
	for i := range namesTold {
		l.Things[i].GUID, l.Things[i].Kind = math.MaxUint64-uint64(i), inspect.Player
	}
	f.config.Names = func(uint64) string { return strings.Repeat("\u2028", 12) }
	b := f.appendEvent(nil, of, l, nil, everything())
	t.Logf("%d bytes", len(b))
	if len(b) > MaxEvent || !json.Valid(b) {
		t.Errorf("an event of %d bytes, JSON %v; want at most %d", len(b), json.Valid(b), MaxEvent)
	}
	l.Things, l.Grain, l.Columns = l.Things[:0], 32, 64
	for range inspect.MaxBlocks {
		l.Blocks = append(l.Blocks, inspect.Block{Awake: 1e6, Asleep: 1e6, Players: 1e6})
	}
	if b = f.appendEvent(nil, of, l, nil, everything()); len(b) > MaxEvent || !json.Valid(b) {
		t.Errorf("an event of %d bytes, JSON %v; want at most %d", len(b), json.Valid(b), MaxEvent)
	}
}

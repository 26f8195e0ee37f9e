package worldfork

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"go.uber.org/goleak"

	"muster/cmd/internal/adminclient"
	"muster/cmd/internal/flags"
	"muster/cmd/internal/release"
	"muster/cmd/internal/worldspec"
	"muster/internal/metric"
	"muster/net/ops/page"
	"muster/net/replication/recording"
	"muster/net/replication/worldlog"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m, goleak.IgnoreCurrent()) }

// parse fills in a struct as from a command line.
func parse(t *testing.T, into any, args ...string) {
	t.Helper()
	parser, err := kong.New(into, kong.Bind(new(flags.Environment)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse(args); err != nil {
		t.Fatal(err)
	}
}

// keep writes a snapshot of a world without creatures into a folder.
func keep(t *testing.T, step string) (folder string) {
	t.Helper()
	var settings worldspec.Settings
	parse(t, &settings, "--start", "one", "--tick", step)
	defs, err := worldspec.NewDefs(settings.Seed, 0, settings.Start)
	if err != nil {
		t.Fatal(err)
	}
	header := settings.Header(&defs.Maps[0], false)
	world := worldspec.NewWorld(&header, defs, new(metric.Table))
	state, err := world.AppendSnapshot(nil)
	if err != nil {
		t.Fatal(err)
	}
	folder = t.TempDir()
	if err := worldlog.Save(folder, &recording.Snapshot{
		Log: header, Release: release.Name(), Toolchain: release.Toolchain(), Hash: world.Hash(), State: state,
	}); err != nil {
		t.Fatal(err)
	}
	return folder
}

// A copy stands still where the world was, answers operators, and ends with its context. Its steps are of 50 ms, or as close below as those of the world allow.
func TestFork(t *testing.T) {
	for step, want := range map[string]int64{"50ms": 50, "7ms": 49, "60ms": 60} {
		t.Run(step, func(t *testing.T) { testFork(t, step, want) })
	}
}

func testFork(t *testing.T, step string, stepMs int64) {
	v := new(Config)
	said, out := io.Pipe()
	env := &flags.Environment{Stdout: out, Stderr: io.Discard}
	parse(t, v, "--from", keep(t, step))
	ctx, end := context.WithCancel(t.Context())
	defer end()
	ended := make(chan error, 1)
	go func() {
		ended <- Run(ctx, v, env)
		out.Close()
	}()
	lines := bufio.NewReader(said)
	made, err := lines.ReadString('\n')
	if want := `^map 0, instance 2147483648 is a copy of map 0 after tick 0, hash [0-9a-f]{16}\n$`; err != nil || !regexp.MustCompile(want).MatchString(made) {
		t.Fatalf("it says %q, %v, want %s", made, err, want)
	}
	line, err := lines.ReadString('\n')
	if err != nil {
		t.Fatal(err, <-ended)
	}
	m := regexp.MustCompile(`^a copy of 1 worlds stands still at 0s: (http://\S+)/\n$`).FindStringSubmatch(line)
	if m == nil {
		t.Fatalf("it says %q", line)
	}
	server := adminclient.Client{Base: m[1], HTTP: new(http.Client)}
	var clock page.Dial
	if err := server.Read(t.Context(), "/api/clock", &clock); err != nil || clock.NowMs != 0 {
		t.Errorf("the clock is %+v, %v", clock, err)
	}
	response, err := http.Post(m[1]+"/api/clock", "application/json", strings.NewReader(`{"do":"step","steps":2}`))
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("a step: %+v, %v", response, err)
	}
	response.Body.Close()
	for deadline := time.Now().Add(10 * time.Second); clock.NowMs < 2*stepMs && time.Now().Before(deadline); {
		if err := server.Read(t.Context(), "/api/clock", &clock); err != nil {
			t.Fatal(err)
		}
	}
	if clock.NowMs != 2*stepMs {
		t.Errorf("after two steps the clock is %+v, want %d ms", clock, 2*stepMs)
	}
	http.DefaultClient.CloseIdleConnections()
	server.HTTP.CloseIdleConnections()
	end()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// Others than this host need a token.
func TestCheck(t *testing.T) {
	for flag, want := range map[string]string{"127.0.0.1:0": "", "0.0.0.0:0": "token"} {
		v := new(Config)
		if err := v.Admin.UnmarshalText([]byte(flag)); err != nil {
			t.Fatal(err)
		}
		if err := v.Check(); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", flag, err, want)
		}
	}
}

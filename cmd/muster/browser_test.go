package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// A browser is a Chromium with one page open.
type browser struct {
	t   *testing.T
	ctx context.Context

	mu   sync.Mutex
	said []chromedp.ConsoleMessage // on its console, where nothing should be

	allowed []string // what may be in a message on its console
}

// chromium finds the browser. Its tests cannot be left out: without one they fail, and say what to install.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatal("there is no Chromium: make chromium installs Debian's package of that name")
	return ""
}

// browse opens a page. It must not write to its console.
func browse(t *testing.T, url string) *browser {
	t.Helper()
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(chromium(t)), chromedp.UserDataDir(t.TempDir()),
		chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
		chromedp.Flag("disable-dev-shm-usage", true),
	}
	ctx, end := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(end)
	ctx, end = chromedp.NewContext(ctx)
	t.Cleanup(end)
	b := &browser{t: t, ctx: ctx}
	said := chromedp.Console(ctx)
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1280, 800), chromedp.Navigate(url)); err != nil {
		t.Fatal(err)
	}
	var heard sync.WaitGroup
	heard.Go(func() {
		for m, err := range said {
			if err != nil {
				return
			}
			b.mu.Lock()
			b.said = append(b.said, m)
			b.mu.Unlock()
		}
	})
	t.Cleanup(func() {
		end()
		heard.Wait()
		for _, m := range b.said {
			if !slices.ContainsFunc(b.allowed, func(what string) bool { return strings.Contains(fmt.Sprint(m), what) }) {
				t.Errorf("the browser said %v", m)
			}
		}
	})
	return b
}

// run runs actions in the browser.
func (b *browser) run(do ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, do...); err != nil {
		b.t.Fatal(err)
	}
}

// see reads a value of a page's script.
func see[T any](b *browser, expression string) T {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// do runs statements of a page's script.
func (b *browser) do(script string) {
	b.t.Helper()
	see[int](b, "(() => {"+script+"\n; return 0; })()")
}

// until waits until an expression of a page's script holds.
func (b *browser) until(expression string) {
	b.t.Helper()
	for end := time.Now().Add(patience); !see[bool](b, expression); {
		if time.Now().After(end) {
			b.t.Fatalf("it never came to %s; page is %s", expression, see[string](b,
				`JSON.stringify({...page, things: page.things.size, entity: 0, ticks: page.ticks.length, world: 0})`))
		}
		<-time.After(50 * time.Millisecond)
	}
}

// click clicks a point of the map.
func (b *browser) click(at [2]float64) {
	b.t.Helper()
	b.run(chromedp.MouseClickXY(at[0], at[1]))
}

// picture keeps what is to be seen with go test -artifacts, and else until the end of the test.
func (b *browser) picture(name string) {
	b.t.Helper()
	png, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(b.t.ArtifactDir(), name), png, 0o644); err != nil {
		b.t.Fatal(err)
	}
}

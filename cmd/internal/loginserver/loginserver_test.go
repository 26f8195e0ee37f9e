package loginserver

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"go.uber.org/goleak"

	"muster/cmd/internal/adminclient"
	"muster/internal/pgtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m, goleak.IgnoreCurrent()) }

// parse is what the verb has of such flags.
func parse(t *testing.T, flags ...string) *Config {
	t.Helper()
	v := new(Config)
	parser, err := kong.New(v)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse(flags); err != nil {
		t.Fatal(err)
	}
	return v
}

// It is ready when it listens and has the database, without a gateway in it, and ends with its context.
func TestRun(t *testing.T) {
	url := pgtest.New(t).URL(t)
	ready, last := make(chan string, 1), make(chan string, 1)
	seen, log := io.Pipe()
	ctx, end := context.WithCancel(t.Context())
	defer end()
	ended := make(chan error, 1)
	go func() {
		ended <- Run(ctx, parse(t, "--auth", "127.0.0.1:0", "--database", url), slog.New(slog.NewTextHandler(log, nil)))
		log.Close()
	}()
	go func() {
		defer close(ready)
		line := ""
		defer func() { last <- line }()
		for lines := bufio.NewScanner(seen); lines.Scan(); {
			line = lines.Text()
			if m := regexp.MustCompile(`msg=ready auth=\S+ admin=(\S+) `).FindStringSubmatch(line); m != nil {
				ready <- m[1]
			}
		}
	}()
	at, ok := <-ready
	if !ok {
		t.Fatal(<-ended)
	}
	server := adminclient.Client{Base: "http://" + at, HTTP: new(http.Client)}
	answer, err := server.Open(t.Context(), "/readyz")
	if err != nil {
		t.Error(err)
	} else {
		answer.Close()
	}
	server.HTTP.CloseIdleConnections()
	end()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if line := <-last; !strings.Contains(line, "level=INFO msg=stopped ran=") {
		t.Errorf("the last line of its log is %q, want that it has stopped", line)
	}
}

// What cannot be served is refused before anything is opened.
func TestCheck(t *testing.T) {
	for flags, want := range map[string]string{
		"":                                        "",
		"--database host=h":                       "--database is a URL",
		"--open-level 4":                          "--open-level is from 0 to 3, not 4",
		"--max-per-address=-1":                    "--max-per-address is not negative, as in -1",
		"--realm-name=":                           "--realm-name has from 1 to 255 bytes, not 0",
		"--admin 0.0.0.0:0":                       "token",
		"--auth 0.0.0.0:0":                        "",
		"--auth 0.0.0.0:0 --open-accounts p":      "--open-accounts-anywhere",
		"--open-accounts 12345678901234567":       "a password has at most 16 bytes",
		"--open-accounts-anywhere --open-level 3": "",
	} {
		err := parse(t, append([]string{"--database", "postgres://h/n"}, strings.Fields(flags)...)...).Check()
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", flags, err, want)
		}
	}
}

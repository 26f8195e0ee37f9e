package flags

import (
	"bytes"
	"log/slog"
	"testing"

	"muster/internal/config"
)

func TestReportHidesThePassword(t *testing.T) {
	var b bytes.Buffer
	log := slog.New(slog.NewTextHandler(&b, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
	Report(log, config.Set{
		"Tick":         {Key: "Tick", Value: "50ms", Source: "m.conf:3"},
		"OpenAccounts": {Key: "OpenAccounts", Value: "secret", Source: "MUSTER_OPEN_ACCOUNTS"},
		"Database":     {Key: "Database", Value: "postgres://u:secret@h/n", Source: "MUSTER_DATABASE"},
	})
	const want = "level=INFO msg=setting key=Database value=postgres://u@h/n from=MUSTER_DATABASE\n" +
		"level=INFO msg=setting key=OpenAccounts value=\"(not shown)\" from=MUSTER_OPEN_ACCOUNTS\n" +
		"level=INFO msg=setting key=Tick value=50ms from=m.conf:3\n"
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", &b, want)
	}
}

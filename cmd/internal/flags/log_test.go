package flags

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// What is below the level is not logged, and a line is what the format says.
func TestLogFlags(t *testing.T) {
	for level, want := range map[string]string{"debug": "DIWE", "info": "IWE", "warn": "WE", "error": "E"} {
		for _, format := range []string{"text", "json"} {
			var b bytes.Buffer
			log := (&Logging{LogLevel: level, LogFormat: format}).Logger(&b)
			log.Debug("D")
			log.Info("I")
			log.Warn("W")
			log.Error("E")
			got := ""
			for line := range strings.Lines(b.String()) {
				var object struct{ Msg string }
				switch err := json.Unmarshal([]byte(line), &object); {
				case format == "json" && err == nil:
					got += object.Msg
				case format == "text" && err != nil:
					got += strings.TrimSpace(line[strings.Index(line, "msg=")+len("msg="):])
				default:
					t.Errorf("%s: %q", format, line)
				}
			}
			if got != want {
				t.Errorf("--log-level %s --log-format %s: %s, want %s", level, format, got, want)
			}
		}
	}
}

package flags

import (
	"io"
	"log/slog"
)

// A Logging is the settings of the log.
type Logging struct {
	LogLevel  string `default:"info" enum:"debug,info,warn,error" placeholder:"LEVEL" help:"Log what is of this level or above: debug, info, warn or error (${default})."`
	LogFormat string `default:"text" enum:"text,json" placeholder:"KIND" help:"A line of the log is key=value pairs, or a JSON object: text or json (${default})."`

	level *slog.LevelVar // of the logger; nil before there is one
}

// SetLevel has LogLevel count for the logger.
func (f *Logging) SetLevel() {
	var level slog.Level
	if level.UnmarshalText([]byte(f.LogLevel)) == nil {
		f.level.Set(level)
	}
}

// Logger makes the log.
func (f *Logging) Logger(w io.Writer) *slog.Logger {
	f.level = new(slog.LevelVar)
	f.SetLevel()
	options := slog.HandlerOptions{Level: f.level}
	if f.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, &options))
	}
	return slog.New(slog.NewTextHandler(w, &options))
}

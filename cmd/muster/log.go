package main

import (
	"io"
	"log/slog"
)

// A logFlags is the settings of the log.
type logFlags struct {
	LogLevel  string `default:"info" enum:"debug,info,warn,error" placeholder:"LEVEL" help:"Log what is of this level or above: debug, info, warn or error (${default})."`
	LogFormat string `default:"text" enum:"text,json" placeholder:"KIND" help:"A line of the log is key=value pairs, or a JSON object: text or json (${default})."`

	level *slog.LevelVar // of the logger; nil before there is one
}

// setLevel has LogLevel count for the logger.
func (f *logFlags) setLevel() {
	var level slog.Level
	if level.UnmarshalText([]byte(f.LogLevel)) == nil {
		f.level.Set(level)
	}
}

// logger makes the log.
func (f *logFlags) logger(w io.Writer) *slog.Logger {
	f.level = new(slog.LevelVar)
	f.setLevel()
	options := slog.HandlerOptions{Level: f.level}
	if f.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, &options))
	}
	return slog.New(slog.NewTextHandler(w, &options))
}

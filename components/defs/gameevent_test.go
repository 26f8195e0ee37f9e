package defs

import (
	"testing"
	"time"
)

// The times follow from the definition of the columns occurence and length, minutes, between start_time and end_time.
func TestCalendar(t *testing.T) {
	at := func(text string) int64 {
		when, err := time.Parse("2006-01-02 15:04:05", text)
		if err != nil {
			t.Fatal(err)
		}
		return when.Unix()
	}
	weekly := Calendar{Start: at("2026-01-05 18:00:00"), End: at("2026-03-01 00:00:00"), EveryMin: 7 * 24 * 60, ForMin: 90}
	always := Calendar{Start: at("2026-01-05 18:00:00"), EveryMin: 60, ForMin: 60}
	season := always
	season.End = at("2026-01-06 00:00:00")
	late := weekly
	late.End = at("2026-01-12 18:30:00") // within the second occurrence
	for _, c := range []struct {
		calendar Calendar
		at       string
		on       bool
		next     string
	}{
		{weekly, "2026-01-05 17:59:59", false, "2026-01-05 18:00:00"},
		{weekly, "2026-01-05 18:00:00", true, "2026-01-05 19:30:00"},
		{weekly, "2026-01-05 19:29:59", true, "2026-01-05 19:30:00"},
		{weekly, "2026-01-05 19:30:00", false, "2026-01-12 18:00:00"},
		{weekly, "2026-02-23 18:30:00", true, "2026-02-23 19:30:00"},
		{weekly, "2026-02-23 19:30:00", false, ""}, // the next one would begin after the end
		{weekly, "2026-03-02 18:30:00", false, ""},
		{always, "2026-01-05 17:00:00", false, "2026-01-05 18:00:00"},
		{always, "2031-07-01 00:00:00", true, ""},
		{season, "2026-01-05 23:59:59", true, "2026-01-06 00:00:00"},
		{season, "2026-01-06 00:00:00", false, ""},
		{late, "2026-01-12 18:29:59", true, "2026-01-12 18:30:00"},
		{late, "2026-01-12 18:30:00", false, ""},
		{Calendar{}, "2026-01-05 18:00:00", false, ""},
		{Calendar{Start: 1, ForMin: 9}, "2026-01-05 18:00:00", false, ""},
		{Calendar{Start: 1, EveryMin: 9}, "2026-01-05 18:00:00", false, ""},
		{Calendar{Start: at("2026-01-06 00:00:00"), End: at("2026-01-06 00:00:00"), EveryMin: 9, ForMin: 9}, "2026-01-05 18:00:00", false, ""},
	} {
		next, ok := c.calendar.Next(at(c.at))
		if on := c.calendar.On(at(c.at)); on != c.on || ok != (c.next != "") || ok && next != at(c.next) {
			t.Errorf("%+v at %s: on %v, next %s %v, want %v and %q", c.calendar, c.at, on, time.Unix(next, 0).UTC(), ok, c.on, c.next)
		}
	}
}

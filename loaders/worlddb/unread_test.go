package worlddb

import (
	"slices"
	"strings"
	"testing"
)

// A report says of each table that is not read what there is not. All of them are tables that are kept.
func TestUnreadTables(t *testing.T) {
	for table := range unexecuted {
		if !tables[table] {
			t.Errorf("table %s is not kept", table)
		}
	}
	r := Report{Tables: []TableReport{{Table: "creature", Used: 5}, {Table: "playercreateinfo_skills", Used: 2}, {Table: "holiday_dates", Used: 4}, {Table: "game_weather"}}}
	r.Runs(map[string]*TableUse{"creature": {Executed: 4, Not: map[string]int64{"its template is not there": 1}}})
	var text strings.Builder
	if err := r.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	_, executed, _ := strings.Cut(text.String(), "\nexecuted by ")
	got := strings.Split(executed, "\n")[:5]
	if want := []string{
		"serve --world-db: 4 of 11 rows; 6 are of tables that it does not read", "  creature: 1 rows not: its template is not there",
		"  playercreateinfo_skills: 2 rows not: there are no skills", "  holiday_dates: 4 rows not: muster does not execute such rows", "",
	}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Package vectors has the known-answer vectors of wow_srp and wow_messages by gtker, for tests. README.md names the
// columns and the licences.
package vectors

import (
	"embed"
	"encoding/json"
	"strings"
	"testing"
)

//go:embed headers packets srp6
var files embed.FS

// Rows is the fields of each row of a file, such as "srp6/x_values". A file without rows fails the test.
func Rows(t testing.TB, name string) [][]string {
	t.Helper()
	text, err := files.ReadFile(name + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	var all [][]string
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) > 0 {
			all = append(all, fields)
		}
	}
	if len(all) == 0 {
		t.Fatalf("vectors: %s has no rows", name)
	}
	return all
}

// A Packet is a message with its plain header.
type Packet struct {
	Name string // of the message in wow_messages
	Hex  string // the whole packet
}

// Packets is the packets of a file, such as "packets/world_12340". A file without packets fails the test.
func Packets(t testing.TB, name string) []Packet {
	t.Helper()
	text, err := files.ReadFile(name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var all []Packet
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Fatalf("vectors: %s has no packets", name)
	}
	return all
}

// Package golden loads known packets and texts for tests.
//
// A packet is in a .pkt file. Its first line names its source, then come its name in msg.Table, its
// receiver if its name does not imply that, and its build; what is left is the body in hexadecimal. A #
// begins a comment.
//
//	# source: SMSG_DESTROY_OBJECT, protocol.md 4.2
//	name: MSG_MOVE_TELEPORT_ACK
//	to: client
//	version: 12340
//	01 08        # mover
//	07 00 00 00  # counter
package golden

import (
	"bytes"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"muster/net/protocol/wire"
)

var update = flag.Bool("update", false, "rewrite the golden texts that this project owns")

// A Packet is one .pkt file.
type Packet struct {
	File    string
	Source  string
	Name    string // as in msg.Table
	To      string // "server", "client", or "" if the name leaves no choice
	Version wire.Version
	Bytes   []byte // the body, without its header
}

// Load reads all files that match a pattern, in the order of their names. Files that cannot be understood,
// and a pattern without any file, end the test.
func Load(t testing.TB, pattern string) []Packet {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("golden: no file matches %s", pattern)
	}
	packets := make([]Packet, len(files))
	for i, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if packets[i], err = parse(string(text)); err != nil {
			t.Fatalf("golden: %s: %v", file, err)
		}
		packets[i].File = file
	}
	return packets
}

func parse(text string) (Packet, error) {
	var p Packet
	first, rest, _ := strings.Cut(text, "\n")
	source, ok := strings.CutPrefix(first, "# source: ")
	if !ok || strings.TrimSpace(source) == "" {
		return p, errors.New("the first line names no source")
	}
	p.Source = source
	for line := range strings.Lines(rest) {
		line, _, _ = strings.Cut(line, "#")
		key, value, isKey := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		switch {
		case !isKey:
			b, err := hex.DecodeString(strings.Join(strings.Fields(line), ""))
			if err != nil {
				return p, err
			}
			p.Bytes = append(p.Bytes, b...)
		case key == "name":
			p.Name = value
		case key == "to" && (value == "server" || value == "client"):
			p.To = value
		case key == "version":
			v, err := strconv.ParseUint(value, 10, 16)
			if err != nil {
				return p, err
			}
			p.Version = wire.Version(v)
		default:
			return p, fmt.Errorf("cannot read %q", line)
		}
	}
	if p.Name == "" || p.Version == 0 {
		return p, errors.New("no name or no version")
	}
	return p, nil
}

// Compare compares got with the text of a file. With -update it writes got to the file instead, unless the
// file names an outside source in its first line: those are facts, and not ours to change.
func Compare(t testing.TB, file string, got []byte) {
	t.Helper()
	want, err := os.ReadFile(file)
	if *update && !bytes.HasPrefix(want, []byte("# source: ")) {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(got, want) {
		return
	}
	line := 1 + bytes.Count(want[:same(got, want)], []byte("\n"))
	t.Errorf("golden: %s differs from line %d on; got\n%s", file, line, got)
}

// same is the length of what a and b have in common at their start.
func same(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

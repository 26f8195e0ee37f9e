package chart

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

// charts draws one of each kind.
func charts(t *testing.T) [][]byte {
	t.Helper()
	growth, err := Growth("Growth", "players", "µs", []Curve{
		{"ours", []Point{{1e3, 10, 9, 12}, {1e4, 100, 90, 130}, {1e5, 1100, 1000, 1200}}},
		{"theirs", []Point{{1e3, 100, 100, 100}, {1e5, 9e4, 8e4, 1e5}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	ratios, err := Ratios("Ratios", []Bar{{"s1: a & b", 24.1, 20, 40}, {"s2", 3, 5, 0}})
	if err != nil {
		t.Fatal(err)
	}
	timeline, err := Timeline("Timeline", "s", "delay, ms", []Point{{Size: 1, Value: 50}, {Size: 2, Value: 300}}, []Event{{"the end", 1.5}})
	if err != nil {
		t.Fatal(err)
	}
	return [][]byte{growth, ratios, timeline}
}

func TestSameFiguresGiveSameBytes(t *testing.T) {
	first, again := charts(t), charts(t)
	for i := range first {
		if !bytes.Equal(first[i], again[i]) {
			t.Errorf("chart %d differs", i)
		}
	}
}

// A chart is well-formed, and says what it is of.
func TestChartsAreXML(t *testing.T) {
	for i, want := range [][]string{{"Growth", "players", "ours", "theirs", "10000"}, {"Ratios", "s1: a & b", "s2"}, {"Timeline", "delay, ms", "the end"}} {
		var words strings.Builder
		for d := xml.NewDecoder(bytes.NewReader(charts(t)[i])); ; {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("chart %d: %v", i, err)
			}
			if text, ok := token.(xml.CharData); ok {
				words.Write(text)
			}
		}
		for _, word := range want {
			if !strings.Contains(words.String(), word) {
				t.Errorf("chart %d does not say %q", i, word)
			}
		}
	}
}

func TestNothingToDraw(t *testing.T) {
	if _, err := Growth("", "", "", []Curve{{"empty", nil}}); err == nil {
		t.Error("a curve without points was drawn")
	}
}

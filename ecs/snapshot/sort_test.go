package snapshot

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Entries of maps are in the order of their bytes, however many there are, and whichever bytes of their keys differ.
func TestEntriesAreSorted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.IntRange(1, 9).Draw(t, "key")
		size := key + rapid.IntRange(0, 20).Draw(t, "value")
		mask := rapid.SliceOfN(rapid.SampledFrom([]byte{0, 1, 3, 0xFF}), key, key).Draw(t, "bits that differ")
		dice := rapid.SliceOfN(rapid.Byte(), 7, 7).Draw(t, "bytes")
		var entries []byte
		seen := make(map[string]bool)
		for i := range rapid.SampledFrom([]int{1, 2, fewEntries - 1, fewEntries, 1000}).Draw(t, "n") {
			entry := make([]byte, size)
			for j := range entry {
				entry[j] = dice[(i*7+j)%len(dice)] + byte(i*i>>j) + byte(j)
			}
			for j := range mask {
				entry[j] &= mask[j]
			}
			if !seen[string(entry[:key])] {
				seen[string(entry[:key])] = true
				entries = append(entries, entry...)
			}
		}
		want := slices.Concat(slices.SortedFunc(slices.Chunk(bytes.Clone(entries), size), bytes.Compare)...)
		room := sortEntries(entries, bytes.Repeat([]byte{0xAA}, 100), size, key)
		if !bytes.Equal(entries, want) {
			t.Fatalf("% x, want % x", entries, want)
		}
		if len(room) != len(entries) {
			t.Fatalf("room for %d bytes of %d", len(room), len(entries))
		}
	})
}

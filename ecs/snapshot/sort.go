package snapshot

import (
	"bytes"
	"slices"
)

// fewEntries is below how many entries comparing them is faster than counting bytes, our own choice.
const fewEntries = 64

// sortEntries puts entries of a size into the order of their keys, with which they begin, and of which no two are the same. It uses room,
// and returns it, or a larger one. The cost is that of a copy of all entries for each byte in which keys differ.
func sortEntries(entries, room []byte, size, key int) []byte {
	room = slices.Grow(room[:0], len(entries))[:len(entries)]
	n := len(entries) / size
	if n < fewEntries {
		copy(room, entries)
		order := slices.SortedFunc(slices.Chunk(room, size), bytes.Compare)
		for i, entry := range order {
			copy(entries[i*size:], entry)
		}
		return room
	}
	from, to := entries, room
	for at := key - 1; at >= 0; at-- { // each pass keeps the order of the one before where the byte is the same
		var next [256]int // by byte: how many entries have it, and then where the next of them is put
		for i := at; i < len(from); i += size {
			next[from[i]]++
		}
		if next[from[at]] == n {
			continue
		}
		before := 0
		for b, count := range next {
			next[b] = before
			before += count * size
		}
		for i := 0; i < len(from); i += size {
			entry := from[i : i+size]
			copy(to[next[entry[at]]:], entry)
			next[entry[at]] += size
		}
		from, to = to, from
	}
	if &from[0] != &entries[0] {
		copy(entries, from)
	}
	return room
}

package storetest

import (
	"fmt"
	"io"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"muster/components/life"
	"muster/loaders/store"
)

// Crowd is how many accounts, with a character each, a benchmarked store has.
const Crowd = 10_000

// Benchmark measures a kind of store with a Crowd in it.
func Benchmark(b *testing.B, fresh func(*testing.B) Place) {
	s, err := fresh(b).Open()
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	all := crowd()
	if err := s.Import(b.Context(), records(all)); err != nil {
		b.Fatal(err)
	}
	for i := range all { // they log in before they are saved
		if _, err := s.Characters(b.Context(), all[i].Account); err != nil {
			b.Fatal(err)
		}
	}
	for _, size := range []int{250, 1000, 2500} {
		b.Run(fmt.Sprint("Save", size), func(b *testing.B) { benchmarkSave(b, s, all, size) })
	}
	b.Run("Login", func(b *testing.B) { benchmarkLogin(b, s) })
}

// crowd is a Crowd of veterans: 60 spells, 40 buttons, 5 auras and 40 items each.
func crowd() []store.Character {
	all := make([]store.Character, Crowd)
	for i := range all {
		c := full(uint32(i+1), numbered(i))
		c.GUID, c.Version = uint64(i+1), 1
		c.Spells, c.Actions, c.Auras, c.Items = nil, nil, nil, nil // but those that follow
		for n := range uint32(60) {
			c.Spells = append(c.Spells, 100+n*97)
		}
		for n := range uint32(40) {
			c.Actions = append(c.Actions, life.Action{Button: uint8(n), Packed: 100 + n*97})
		}
		for n := range uint32(5) {
			c.Auras = append(c.Auras, life.Aura{Spell: 1000 + n, Caster: c.GUID, Slot: uint8(n), MaxMs: 60_000, LeftMs: 30_000})
		}
		for n := range 40 {
			c.Items = append(c.Items, life.Item{
				GUID: store.ItemHigh | uint64(i*40+n+1), Entry: 1000 + uint32(n), Count: 1, Durability: 50,
				Bag: life.InBody, Slot: uint8(n),
			})
		}
		all[i] = c
	}
	return all
}

// numbered is another name for each i below 26^4.
func numbered(i int) string {
	name := []byte("Aaaaa")
	for n := 4; n > 0; n-- {
		name[n] += byte(i % 26)
		i /= 26
	}
	return string(name)
}

// records is a dump of accounts of one character each.
func records(all []store.Character) func() (store.Record, error) {
	n := 0
	return func() (store.Record, error) {
		i := n / 2
		n++
		switch {
		case i == len(all):
			return store.Record{}, io.EOF
		case n%2 == 1:
			a := store.Account{ID: all[i].Account, Name: fmt.Sprint("ACCOUNT", i)}
			return store.Record{Account: &store.Proven{Account: a, HasKey: true}}, nil
		}
		return store.Record{Character: &all[i]}, nil
	}
}

// benchmarkSave has all characters move, lose health, use one item up and find another, again and again, while auras and cooldowns run
// off: an op is one save of all, in batches of a size. The delay is that of a batch.
func benchmarkSave(b *testing.B, s store.Store, all []store.Character, size int) {
	var delays []time.Duration
	next, err := s.LeaseItems(b.Context(), store.MaxLease)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		for batch := range slices.Chunk(all, size) {
			for i := range batch {
				c := &batch[i]
				c.Version++
				c.X++
				c.Health++
				for n := range c.Auras {
					c.Auras[n].LeftMs--
				}
				c.Cooldowns[0].LeftMs--
				c.Items[7].Durability++
				c.Items[int(c.Version)%40].GUID = store.ItemHigh | next
				next++
			}
			began := time.Now()
			each, err := s.SaveCharacters(b.Context(), batch)
			if err != nil {
				b.Fatal(err)
			}
			delays = append(delays, time.Since(began))
			for i, err := range each {
				if err != nil {
					b.Fatalf("character %d: %v", batch[i].GUID, err)
				}
			}
		}
	}
	slices.Sort(delays)
	b.ReportMetric(float64(b.N)*Crowd/b.Elapsed().Seconds(), "characters/s")
	b.ReportMetric(float64(delays[len(delays)*99/100].Milliseconds()), "p99-ms")
}

// benchmarkLogin is the calls of a login, from the challenge to the list of characters.
func benchmarkLogin(b *testing.B, s store.Store) {
	var n atomic.Int64
	b.SetParallelism(8)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			i := int(n.Add(1)*7919) % Crowd
			a, err := s.Account(b.Context(), fmt.Sprint("ACCOUNT", i))
			if err != nil {
				b.Error(err)
				return
			}
			if err := s.SetSessionKey(b.Context(), a.ID, [40]byte{byte(i)}); err != nil {
				b.Error(err)
			}
			if _, _, err := s.SessionKey(b.Context(), a.ID); err != nil {
				b.Error(err)
			}
			if list, err := s.Characters(b.Context(), a.ID); err != nil || len(list) != 1 {
				b.Error(len(list), err)
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "logins/s")
}

package defs

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"

	"muster/internal/corrupt"
)

// patched is a world with something of each part.
func patched() *World {
	node := []Node{{X: 1}, {X: 2, PauseMs: 5, Script: 1, Chance: 100}}
	return &World{
		Maps: []Map{{
			ID: 3, Spawns: []Spawn{{Entry: 7, Path: 0, Script: 2}, {Entry: 7, Path: -1}}, Objects: []ObjectSpawn{{Entry: 9, Script: 1}}, Paths: []Path{{Nodes: node}},
			Pools: []Pool{{Limit: 1, Members: []PoolMember{{Index: 0}}}}, EventPools: []EventSpawn{{Point: 0, Event: 0}},
			EventSpawns: []EventSpawn{{Point: 1, Event: 0, Away: true}},
		}},
		Creatures: []Creature{{Entry: 7, Script: 1}}, GameObjects: []GameObject{{Entry: 9, Script: 2}}, Items: []Item{{Entry: 30}},
		Scripts: []Script{
			{Rows: []ScriptRow{{Event: ScriptUpdate, Action: ScriptEscortStart, Do: [6]uint32{0, 1}, Target: ScriptSelf, Conditions: 1}}},
			{Rows: []ScriptRow{{Event: ScriptInit, Action: ScriptEmote, Target: ScriptSelf, At: [4]float32{1.5}}}},
		},
		ScriptLists: []ScriptList{{ID: 700, Rows: []ScriptRow{{Action: ScriptEmote, Target: ScriptSelf}}}},
		ScriptPaths: []ScriptPath{{ID: 5, Nodes: []Node{{X: 1}}}},
		NodeScripts: []NodeScript{{Rows: []ScriptRow{{Action: ScriptEmote, Target: ScriptSelf}}}},
		Triggers:    []Trigger{{ID: 6, Map: 3, Script: 2}},
		NPCTexts:    []NPCText{{ID: 2}},
		Texts:       Texts{{Entry: 7, Lines: []TextLine{{Text: "Hm…", Type: 12}}}},
		GossipMenus: []GossipMenu{{ID: 4, Options: []GossipOption{{ID: 1, Conditions: 1}}, Texts: []GossipText{{Text: 2, Conditions: 1}}}},
		Vendors:     []Vendor{{Entry: 7, Items: []VendorItem{{Item: 30, Conditions: 1}}}},
		GameEvents:  []GameEvent{{ID: 2, Name: "Fair"}},
		Conditions:  []Conditions{{{Kind: ConditionMap, Value: [3]uint32{3}}}},
	}
}

// A world without a part has it when it is applied, as it was cut, with conditions of its own; the world that it was copied from stays as it was.
func TestPatch(t *testing.T) {
	for part := PartScripts; part < partsEnd; part++ {
		from, base := patched(), patched()
		base.Creatures[0].Script, base.GameObjects[0].Script, base.Maps[0].Spawns[0].Script, base.Maps[0].Spawns[1].Script = 0, 0, 0, 1
		base.Scripts, base.ScriptLists, base.Texts, base.GossipMenus, base.Vendors = base.Scripts[:1], nil, nil, nil, nil
		base.GameEvents, base.Maps[0].EventSpawns, base.Maps[0].EventPools = nil, nil, nil
		base.NPCTexts, base.Triggers[0].Script = nil, 1
		base.ScriptPaths[0].Nodes, base.Maps[0].Paths[0].Nodes = []Node{{X: 8}}, []Node{{X: 8}, {X: 9}}
		kept := *base
		kept.Creatures = append([]Creature(nil), base.Creatures...)
		b, err := from.Cut(part, &from.Maps[0]).AppendBinary([]byte("kept"))
		var p Patch
		if err == nil {
			err = p.UnmarshalBinary(b[4:])
		}
		w, m := *base, base.Maps[0]
		if err == nil {
			err = p.Apply(&w, &m)
		}
		if err != nil || !bytes.HasPrefix(b, []byte("kept")) {
			t.Fatalf("%v: %v", part, err)
		}
		w.Maps = []Map{m}
		got, want := w.Cut(part, &m), from.Cut(part, &from.Maps[0])
		if part == PartScripts || part == PartGossip || part == PartVendors {
			if len(got.Conditions) != 2 {
				t.Errorf("%v: %d conditions", part, len(got.Conditions))
			}
			got.Conditions, want.Conditions = nil, nil
			switch part {
			case PartScripts:
				want.Scripts[0].Rows[0].Conditions = 2
			case PartVendors:
				want.Vendors[0].Items[0].Conditions = 2
			case PartGossip:
				want.GossipMenus[0].Options[0].Conditions, want.GossipMenus[0].Texts[0].Conditions = 2, 2
			}
		}
		if part == PartWays { // those that the world had stay, for paths that are not replaced
			want.NodeScripts = append(want.NodeScripts, want.NodeScripts[0])
			want.Paths[0].Nodes[1].Script = 2
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%v:\ngot  %+v\nwant %+v", part, got, want)
		}
		if base.Creatures[0].Script != 0 || base.Maps[0].Spawns[1].Script != 1 || base.Maps[0].Paths[0].Nodes[0].X != 8 || base.ScriptPaths[0].Nodes[0].X != 8 || base.Triggers[0].Script != 1 {
			t.Errorf("%v: the world that was copied has changed", part)
		}
	}
	if got := Part(99).String(); got != "part 99" {
		t.Errorf("no part is %q", got)
	}
}

// A patch that is too large is neither written nor read.
func TestPatchSize(t *testing.T) {
	text := make([]byte, 3*MaxPatch)
	r := rand.NewChaCha8([32]byte{1})
	r.Read(text)
	for i := range text { // that deflate does not shorten to a sixth
		text[i] = 'a' + text[i]%32
	}
	p := &Patch{Part: PartTexts, Texts: Texts{{Lines: []TextLine{{Text: string(text)}}}}}
	if _, err := p.AppendBinary(nil); !errors.Is(err, ErrPatchSize) {
		t.Errorf("%v", err)
	}
	if err := p.UnmarshalBinary(make([]byte, MaxPatch+1)); !errors.Is(err, ErrPatchSize) {
		t.Errorf("%v", err)
	}
}

// Whatever is read and applied without an error leaves a world of which every part can be cut and applied again, and what is refused is
// refused with ErrPatch or as no JSON.
func TestCorruptPatches(t *testing.T) {
	w := patched()
	var texts [][]byte
	for part := PartScripts; part < partsEnd; part++ {
		text, err := json.Marshal(w.Cut(part, &w.Maps[0]))
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, text)
	}
	applied := 0
	for text := range corrupt.Bytes(4000, texts...) {
		var b bytes.Buffer
		z, _ := flate.NewWriter(&b, flate.BestSpeed)
		z.Write(text)
		z.Close()
		var p Patch
		if p.UnmarshalBinary(b.Bytes()) != nil {
			continue
		}
		world := patched()
		m := world.Maps[0]
		if err := p.Apply(world, &m); err != nil {
			if !errors.Is(err, ErrPatch) {
				t.Fatal(err)
			}
			continue
		}
		applied++
		for part := PartScripts; part < partsEnd; part++ {
			if err := world.Cut(part, &m).Apply(world, &m); err != nil {
				t.Fatalf("%v of %s: %v", part, text, err)
			}
		}
	}
	if applied < 100 {
		t.Errorf("only %d were applied", applied)
	}
	b, _ := w.Cut(PartScripts, &w.Maps[0]).AppendBinary(nil)
	for b := range corrupt.Bytes(2000, b) {
		new(Patch).UnmarshalBinary(b)
	}
}

package mustertest

import (
	"encoding/json"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// What answers are read into has the fields of the OpenAPI document, and no others.
func TestTypes(t *testing.T) {
	text, err := os.ReadFile("../docs/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Components struct {
			Schemas map[string]struct{ Properties map[string]any }
		}
	}
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	for name, is := range map[string]any{
		"Character": Character{}, "HeldItem": Item{}, "HeldAura": Aura{}, "Place": Place{}, "CreatureState": Creature{},
		"Ran": Ran{}, "Value": Value{}, "Happening": Happening{}, "Told": told{},
	} {
		var names []string
		for f := range reflect.TypeOf(is).Fields() {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			names = append(names, name)
		}
		slices.Sort(names)
		if want := slices.Sorted(maps.Keys(document.Components.Schemas[name].Properties)); !slices.Equal(names, want) {
			t.Errorf("%s has %q, want %q", reflect.TypeOf(is), names, want)
		}
	}
}

// The operations of the control do what their names say.
func TestOperations(t *testing.T) {
	t.Parallel()
	server := Start(t, Flags("--creatures", "0"), VirtualClock())
	server.RunClock(1)
	server.CreateAccount("ANNA", "secret")
	at := server.CreateCharacter(NewCharacter{Account: "ANNA", Name: "Anna", Race: 1, Class: 1, Level: 5, At: &Place{Map: 0, X: 50, Y: 60, Z: 40, O: 1}})
	if want := (Place{0, 50, 60, 40, 1}); at != want {
		t.Errorf("Anna begins at %+v", at)
	}
	if c := server.Character("Anna"); c.Online || c.Level != 5 {
		t.Errorf("she is stored as %+v", c)
	}
	anna := server.Login("ANNA", "secret")
	anna.Enter("Anna")
	server.StopClock()
	for what, ok := range map[string]bool{
		"online": server.Character("anna").Online,
		"level":  server.SetLevel("Anna", 12).Level == 12,
		"health": server.SetHealth("Anna", 33).Health == 33,
		"rage":   func() bool { n := server.SetPower("Anna", "rage", 25).Power[1]; return n > 200 && n <= 250 }(), // it decays
		"money":  server.SetMoney("Anna", 77).Money == 77,
		"item":   func() bool { c := server.GiveItem("Anna", 100045, 3); return c.Count(100045) >= 3 }(),
		"spell":  slices.Contains(server.Learn("Anna", server.Character("Anna").Spells[0]).Spells, server.Character("Anna").Spells[0]),
	} {
		if !ok {
			t.Errorf("%s is not what it was set to", what)
		}
	}
	at.X += 3
	boar := server.Spawn(111, at)
	if c, there := server.Creature(boar); !there || c.Entry != 111 || c.GUID != boar || c.X != at.X || !c.Alive {
		t.Errorf("the boar is %+v, %t", c, there)
	}
	if near := server.Near(at, 1); len(near) != 1 || near[0].GUID != boar {
		t.Errorf("near it there is %+v", near)
	}
	server.Remove(boar)
	if c, there := server.Creature(boar); there {
		t.Errorf("after its end the boar is %+v", c)
	}
	if c := server.Kill("Anna"); c.Alive {
		t.Error("she has not died")
	}
	if c := server.Revive("Anna"); !c.Alive {
		t.Error("she does not live")
	}
	mark := server.Mark()
	server.Teleport("Anna", Place{Map: 0, X: 70, Y: 80, Z: 41})
	if r := server.RunUntil(`session("Anna").x == 70`, 0); len(r.Values) != 1 || r.Values[0].Value != "70" {
		t.Errorf("after the teleport: %+v", r)
	}
	server.SetLevel("Anna", 13)
	if r := server.RunUntilAfter(mark, `event("level", "Anna") == 1`, 0); r.RanMs != 0 || r.Next <= mark {
		t.Errorf("the level is counted by %+v", r)
	}
	if h := server.WaitFor(mark, "level", ""); h.Amount != 13 || h.GUID != GUID(anna.GUID) || h.Name != "Anna" {
		t.Errorf("the level is %+v", h)
	}
	server.RunClock(1)
	server.Kick("Anna")
	server.WaitFor(mark, "leave", "Anna")
}

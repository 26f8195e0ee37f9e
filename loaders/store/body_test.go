package store

import (
	"errors"
	"strings"
	"testing"
)

// TestCheckBody compares with a table written the other way, a row per race and a column per class.
func TestCheckBody(t *testing.T) {
	const table = `
		1  + + . + + . . + + . .
		2  + . + + . . + . + . .
		3  + + + + + . . . . . .
		4  + . + + + . . . . . +
		5  + . . + + . . + + . .
		6  + . + . . . + . . . +
		7  + . . + . . . + + . .
		8  + . + + + . + + . . .
		9  . . . . . . . . . . .
		10 . + + + + . . + + . .
		11 + + + . + . + + . . .`
	pairs := 0
	for race, line := range strings.Split(table, "\n") {
		for class, mark := range strings.Fields(line) {
			if class == 0 {
				continue
			}
			err := CheckBody(uint8(race), uint8(class), uint8(pairs%2))
			if mark == "+" && err != nil {
				t.Errorf("race %d, class %d: %v", race, class, err)
			} else if mark == "." && !errors.Is(err, ErrRaceClass) {
				t.Errorf("race %d, class %d: %v, want %v", race, class, err, ErrRaceClass)
			}
			if mark == "+" {
				pairs++
			}
		}
	}
	if pairs != 52 {
		t.Errorf("%d pairs of race and class, want 52", pairs)
	}
	for _, pair := range [][2]uint8{{0, 1}, {1, 0}, {12, 1}, {255, 1}, {1, 12}, {1, 16}, {1, 17}, {1, 255}} {
		if err := CheckBody(pair[0], pair[1], 0); !errors.Is(err, ErrRaceClass) {
			t.Errorf("race %d, class %d: %v, want %v", pair[0], pair[1], err, ErrRaceClass)
		}
	}
	for _, gender := range []uint8{2, 255} {
		if err := CheckBody(1, 1, gender); !errors.Is(err, ErrGender) {
			t.Errorf("gender %d: %v, want %v", gender, err, ErrGender)
		}
	}
}

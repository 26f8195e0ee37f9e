package store

import (
	"errors"
	"testing"

	"muster/internal/corrupt"
)

func TestNormalName(t *testing.T) {
	for _, c := range []struct {
		name, want string
		err        error
	}{
		{"", "", ErrNameMissing},
		{"a", "", ErrNameShort},
		{"ab", "Ab", nil},
		{"MIRELLA", "Mirella", nil},
		{"mIrElLa", "Mirella", nil},
		{"aaabbb", "Aaabbb", nil},
		{"abcdefghijkl", "Abcdefghijkl", nil},
		{"abcdefghijklm", "", ErrNameLong},
		{"Mi rella", "", ErrNameLetters},
		{"Mirella1", "", ErrNameLetters},
		{"1", "", ErrNameLetters},
		{"Mirélla", "", ErrNameLetters},
		{"K\u212Aelvin", "", ErrNameLetters}, // the Kelvin sign is a k in lower case
		{"Mi\xffrella", "", ErrNameLetters},
		{"Mi\x00", "", ErrNameLetters},
	} {
		if got, err := NormalName(c.name); got != c.want || !errors.Is(err, c.err) {
			t.Errorf("%q is %q, %v, want %q, %v", c.name, got, err, c.want, c.err)
		}
	}
}

func TestCorruptNames(t *testing.T) {
	for name := range corrupt.Strings(20_000, "", "mirella", "ABCDEFGHIJKL", "Mirélla", "a\xff") {
		normal, err := NormalName(name)
		if err != nil {
			if normal != "" {
				t.Errorf("%q is refused and is %q", name, normal)
			}
			continue
		}
		if again, err := NormalName(normal); again != normal || err != nil {
			t.Errorf("%q is %q, and that is %q, %v", name, normal, again, err)
		}
		if len(normal) != len(name) || normal[0] < 'A' || normal[0] > 'Z' {
			t.Errorf("%q is %q", name, normal)
		}
	}
}

package bench

import (
	"os"
	"path/filepath"
	"testing"
)

func TestLargestCache(t *testing.T) {
	for name, tt := range map[string]struct {
		sizes []string
		want  int
	}{
		"levels":    {[]string{"32K\n", "512K\n", "32768K\n", "48K\n"}, 32768 << 10},
		"megabytes": {[]string{"2M\n", "1024K\n"}, 2 << 20},
		"unknown":   {nil, 64 << 20},
		"no number": {[]string{"large\n"}, 64 << 20},
	} {
		dir := t.TempDir()
		for i, size := range tt.sizes {
			index := filepath.Join(dir, "index"+string(rune('0'+i)))
			if err := os.Mkdir(index, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(index, "size"), []byte(size), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got := largestCache(dir); got != tt.want {
			t.Errorf("%s: %d bytes, want %d", name, got, tt.want)
		}
	}
}

// Each line of a memory of twice the largest cache is touched once.
func TestChillTouchesEachLine(t *testing.T) {
	c := newChill()
	if want := 2 * largestCache("/sys/devices/system/cpu/cpu0/cache"); len(c.memory) != want {
		t.Errorf("%d bytes, want %d", len(c.memory), want)
	}
	c.walk()
	for i := range c.memory {
		if want := byte(0); i%64 == 0 {
			if c.memory[i] != 1 {
				t.Fatalf("line at %d is touched %d times", i, c.memory[i])
			}
		} else if c.memory[i] != want {
			t.Fatalf("byte %d is written", i)
		}
	}
}

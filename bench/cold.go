package bench

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A chill takes what a world has in the caches of the processor out of them, as everything else in a server does between two
// ticks.
type chill struct {
	memory []byte
	sum    byte // so that memory is read
}

const (
	// cacheBytes is taken for the size of the largest cache where the kernel does not say it.
	cacheBytes = 64 << 20
	lineBytes  = 64
)

// newChill has twice the largest cache of the first processor in memory.
//
// Source: Linux, sysfs-devices-system-cpu.
func newChill() *chill {
	return &chill{memory: make([]byte, 2*largestCache("/sys/devices/system/cpu/cpu0/cache"))}
}

// largestCache is the size of the largest cache that a folder of the kernel describes, in bytes.
func largestCache(dir string) int {
	sizes, _ := filepath.Glob(filepath.Join(dir, "index*", "size")) // fails on a bad pattern only
	most := 0
	for _, file := range sizes {
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		number, unit := strings.TrimSpace(string(text)), 1
		if kilo, ok := strings.CutSuffix(number, "K"); ok {
			number, unit = kilo, 1<<10
		} else if mega, ok := strings.CutSuffix(number, "M"); ok {
			number, unit = mega, 1<<20
		}
		if n, err := strconv.Atoi(number); err == nil {
			most = max(most, n*unit)
		}
	}
	if most == 0 {
		return cacheBytes
	}
	return most
}

// walk reads and writes a byte of each line.
func (c *chill) walk() {
	for i := 0; i < len(c.memory); i += lineBytes {
		c.memory[i]++
		c.sum += c.memory[i]
	}
}

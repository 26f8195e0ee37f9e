package bench

import (
	"cmp"
	"os"
	"runtime"
	"strings"
)

// thisHost describes the machine, and the build of that name.
func thisHost(commit string) Host {
	return Host{
		Commit: cmp.Or(commit, "unknown"), CPU: cmp.Or(cpuModel(), runtime.GOARCH), Cores: runtime.NumCPU(),
		Kernel: cmp.Or(kernel(), runtime.GOOS), Go: runtime.Version(), GOMAXPROCS: runtime.GOMAXPROCS(0),
	}
}

// cpuModel is what Linux calls the first processor, or "".
func cpuModel() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		if key, value, _ := strings.Cut(line, ":"); strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// kernel is the release of a Linux, or "".
func kernel() string {
	release, err := os.ReadFile("/proc/sys/kernel/osrelease")
	if err != nil {
		return ""
	}
	return "Linux " + strings.TrimSpace(string(release))
}

// Package release names the binary that runs.
package release

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
)

// version is set by the linker: see the Makefile.
var version string

// Name names what was built: the version that the linker was given, or what the toolchain stamped.
func Name() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return cmp.Or(version, "unknown")
	}
	name := cmp.Or(version, info.Main.Version, "(devel)")
	if commit := buildSetting(info, "vcs.revision"); commit != "" {
		name += " commit " + commit[:min(12, len(commit))]
		if buildSetting(info, "vcs.modified") == "true" {
			name += " modified"
		}
	}
	return name
}

// Toolchain names what it was built with and for: two binaries that agree on it, and on the release,
// compute the same floats.
func Toolchain() string {
	text := fmt.Sprintf("%s %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	if info, ok := debug.ReadBuildInfo(); ok {
		if level := buildSetting(info, "GOAMD64"); level != "" {
			text += " GOAMD64=" + level
		}
	}
	return text
}

// Version is the version that the linker was given, "" if it was given none.
func Version() string { return version }

func buildSetting(info *debug.BuildInfo, key string) string {
	for _, s := range info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}

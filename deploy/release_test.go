package deploy

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// What goreleaser takes into archives is there, and what it runs is pinned. make release has goreleaser itself read the file.
func TestRelease(t *testing.T) {
	t.Parallel()
	config := read(t, "../.goreleaser.yaml")
	taken := regexp.MustCompile(`(?m)^      - (?:\{src: ([^,]+), |(\S+)$)`).FindAllStringSubmatch(config, -1)
	if len(taken) != 8 {
		t.Errorf("archives take %q", taken)
	}
	for _, file := range taken {
		pattern := file[1] + file[2]
		if strings.HasPrefix(pattern, "bin/release-extra/") {
			continue // made for it
		}
		if found, err := filepath.Glob(filepath.Join("..", pattern)); err != nil || len(found) == 0 {
			t.Errorf("there is no %s: %v", pattern, err)
		}
	}
	for _, want := range []string{"goos: [linux]\n", "goarch: [amd64, arm64]\n", "env: [CGO_ENABLED=0]\n", "name_template: checksums.txt\n",
		"-X muster/cmd/internal/release.version={{ .Version }}", "tools/cyclonedx.mod, cyclonedx-gomod, bin, -json", "disable: true\n"} {
		if !strings.Contains(config, want) {
			t.Errorf("the configuration has no %q", want)
		}
	}
	for name, version := range map[string]string{
		"goreleaser": "github.com/goreleaser/goreleaser/v2 v", "cyclonedx": "github.com/CycloneDX/cyclonedx-gomod v",
	} {
		if !strings.Contains(read(t, "../tools/"+name+".mod"), version) {
			t.Errorf("tools/%s.mod does not pin %s", name, version)
		}
	}
}

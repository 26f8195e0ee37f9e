package deploy

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const unit = "systemd/muster.service"

// systemd understands every line of the unit, and calls it exposed to 1.5 of 10 at most: a service without any sandbox is
// at 9.6.
func TestUnit(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	units := filepath.Join(root, "etc/systemd/system")
	write(t, filepath.Join(units, "muster.service"), read(t, unit))
	for _, target := range []string{"sysinit", "basic", "shutdown", "network-online", "multi-user"} {
		write(t, filepath.Join(units, target+".target"), "[Unit]\nDescription="+target+"\n")
	}
	for _, program := range []string{"usr/bin/muster", "bin/kill"} {
		run(t, "cp", "/bin/true", write(t, filepath.Join(root, program), ""))
		run(t, "chmod", "+x", filepath.Join(root, program))
	}
	// Unknown keys are warnings.
	if _, said, err := try(t, "systemd-analyze", "verify", "--man=no", "--root="+root, "muster.service"); err != nil || said != "" {
		t.Errorf("systemd-analyze verify: %v\n%s", err, said)
	}
	run(t, "systemd-analyze", "security", "--no-pager", "--offline=true", "--threshold=15", unit)
}

// The folders that the unit gives the service are those that it uses.
func TestUnitFolders(t *testing.T) {
	t.Parallel()
	text := read(t, unit)
	for _, want := range []string{
		"ExecStart=/usr/bin/muster serve --config /etc/muster/muster.conf\n", "ConfigurationDirectory=muster\n",
		"ExecReload=/bin/kill -HUP $MAINPID\n",
		"Environment=XDG_DATA_HOME=%S\n", "StateDirectory=muster\n", // accounts and characters: muster in XDG_DATA_HOME
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the unit has no %s", want)
		}
	}
	if regexp.MustCompile(`(?m)^User=`).MatchString(text) {
		t.Error("the unit names a user that has to be there")
	}
}

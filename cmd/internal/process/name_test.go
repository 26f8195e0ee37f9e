package process

import (
	"os"
	"regexp"
	"testing"
)

// Processes of containers with the host's network have the same number and host, and yet other names; one process has one name.
func TestOurName(t *testing.T) {
	if name := OwnName(); !regexp.MustCompile(`^\Q`+NameOf(os.Getpid())+`\E\.[0-9a-f]{6}$`).MatchString(name) || OwnName() != name {
		t.Errorf("this process is %s, and then %s", name, OwnName())
	}
}

package realm

import (
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m, goleak.IgnoreCurrent()) }

// dungeonMap is the instanced map of the synthetic world.
const dungeonMap = 3

// patience is how long a realm may take for anything; the machine may be slow, and busy with other things.
const patience = 4 * time.Minute

// newConfig is what serve has of such flags, on free ports.
func newConfig(t *testing.T, flags ...string) *Config {
	t.Helper()
	v := new(Config)
	parser, err := kong.New(v, kong.Vars{"password": "muster"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse(append(flags, "--auth", "127.0.0.1:0", "--world", "127.0.0.1:0", "--admin", "127.0.0.1:0")); err != nil {
		t.Fatal(err)
	}
	v.Complete(nil)
	if err := v.Check(); err != nil {
		t.Fatal(err)
	}
	return v
}

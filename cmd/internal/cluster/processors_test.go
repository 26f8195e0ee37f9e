package cluster

import (
	"os"
	"runtime"
	"testing"
)

// The processors that a cluster may use, not those of the machine, are divided among its processes, and are its own again when it ends. A number
// that the environment has stays.
func TestProcessorsAreDivided(t *testing.T) {
	t.Setenv(processors, "")
	v := &Config{Workers: 2, Standbys: 1, Gateways: 1} // 5 processes
	all := 5*runtime.NumCPU() + 10                     // at which the shares of both differ
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(all))
	restore := v.divideProcessors()
	if each := runtime.NumCPU() + 2; runtime.GOMAXPROCS(0) != each {
		t.Errorf("this process uses %d processors of %d, want %d", runtime.GOMAXPROCS(0), all, each)
	}
	if os.Getenv(processors) == "" {
		t.Error("the children do not inherit it")
	}
	if restore(); runtime.GOMAXPROCS(0) != all || os.Getenv(processors) != "" {
		t.Errorf("afterwards it uses %d processors, and the environment has %q", runtime.GOMAXPROCS(0), os.Getenv(processors))
	}
	t.Setenv(processors, "3")
	defer v.divideProcessors()()
	if runtime.GOMAXPROCS(0) != all || os.Getenv(processors) != "3" {
		t.Errorf("it uses %d processors, and the environment has %q, want what was there", runtime.GOMAXPROCS(0), os.Getenv(processors))
	}
	many := Config{Gateways: 200}
	t.Setenv(processors, "")
	defer many.divideProcessors()()
	if runtime.GOMAXPROCS(0) < 1 || os.Getenv(processors) == "0" {
		t.Errorf("with more processes than processors it uses %s", os.Getenv(processors))
	}
}

package pgtest

import (
	"fmt"
	"os"
)

// Main runs the tests of a package, m, with a server that they share, *cluster, and then check, which says what they left behind.
// It returns what a TestMain has to exit with.
func Main(m interface{ Run() int }, cluster **Cluster, check func() error) (code int) {
	c, err := Start()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer c.Stop()
	*cluster = c
	code = m.Run()
	if err := check(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	return code
}

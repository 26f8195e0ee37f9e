package pgtest

import "context"

// T is what New needs of a *testing.T; programs that measure have a server, and no package testing.
type T interface {
	Helper()
	Fatal(...any)
	Cleanup(func())
	Context() context.Context
}

// New starts a server that ends with a test, and fails the test if it cannot.
func New(t T) *Cluster {
	t.Helper()
	c, err := Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Stop() })
	return c
}

// URL is Database for a test, which fails if there is an error.
func (c *Cluster) URL(t T) string {
	t.Helper()
	url, err := c.Database(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return url
}

package pgtest

import (
	"context"
	"os"
)

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

// Folder makes a folder for Keep that ends with a test. Unlike one of testing's, which is the test's user's alone, that of a server reaches it too.
func Folder(t T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "pgtest")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
	})
	if err := os.Chmod(dir, 0o711); err != nil {
		t.Fatal(err)
	}
	return dir
}

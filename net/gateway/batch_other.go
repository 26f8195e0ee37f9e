//go:build !linux

package gateway

import "errors"

// A batch does many sends with one call into the kernel. There is none here.
type batch struct{}

func newBatch() (*batch, error) { return nil, errors.ErrUnsupported }

func (*batch) send([]pendingSend) (ok bool) { return false }

func (*batch) close() {}

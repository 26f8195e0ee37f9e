//go:build !linux

package finetimer

import "errors"

func newKernelSource(chan<- struct{}) (source, error) { return nil, errors.ErrUnsupported }

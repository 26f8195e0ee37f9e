package worlddb

import (
	"fmt"
	"math"
	"reflect"
	"strconv"

	"muster/loaders/worlddb/pages"
)

// A cell is a field of the struct of a row. One of its pointers is not nil.
type cell struct {
	integer *int64
	real    *float64
	text    *string
}

// cellOf is a field, which is an int64, a float64 or a string.
func cellOf(field reflect.Value) (c cell) {
	switch at := field.Addr().Interface().(type) {
	case *int64:
		c.integer = at
	case *float64:
		c.real = at
	case *string:
		c.text = at
	}
	return c
}

// copy sets the field to another one of its type.
func (c cell) copy(from cell) {
	switch {
	case c.integer != nil:
		*c.integer = *from.integer
	case c.real != nil:
		*c.real = *from.real
	default:
		*c.text = *from.text
	}
}

// put sets the field to a value of a column. A number is as the column has it; text is read as a number where one is wanted.
func (c cell) put(v any) error {
	switch v := v.(type) {
	case int64:
		c.putInt(v)
	case float64:
		c.putReal(v)
	case []byte:
		return c.putText(v)
	case string:
		return c.putText([]byte(v))
	default:
		return fmt.Errorf("a value of type %T", v)
	}
	return nil
}

// set is put for a value of a record, which is not NULL.
func (c cell) set(v pages.Value) error {
	switch v.Kind {
	case pages.Int:
		c.putInt(v.Int)
	case pages.Real:
		c.putReal(v.Real)
	default:
		return c.putText(v.Bytes)
	}
	return nil
}

func (c cell) putInt(v int64) {
	if c.integer != nil { // not by way of a float64
		*c.integer = v
		return
	}
	c.putReal(float64(v))
}

func (c cell) putReal(v float64) {
	switch {
	case c.integer != nil:
		*c.integer = integral(v)
	case c.real != nil:
		*c.real = v
	default:
		*c.text = strconv.FormatFloat(v, 'g', -1, 64)
	}
}

func (c cell) putText(v []byte) error {
	if c.text != nil {
		if *c.text != string(v) { // many rows have what the one before has
			*c.text = string(v)
		}
		return nil
	}
	n, err := strconv.ParseFloat(string(v), 64)
	if err != nil {
		return fmt.Errorf("%q where a number is expected", v)
	}
	c.putReal(n)
	return nil
}

// integral is a number without its fraction; the nearest one that there is if it is too large, and 0 for NaN. A conversion
// alone gives others on other architectures.
func integral(v float64) int64 {
	switch {
	case v != v:
		return 0
	case v >= math.MaxInt64:
		return math.MaxInt64
	case v <= math.MinInt64:
		return math.MinInt64
	}
	return int64(v)
}

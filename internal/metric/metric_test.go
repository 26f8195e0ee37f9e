package metric

import (
	"fmt"
	"sync"
	"testing"
)

func TestTable(t *testing.T) {
	var table Table
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 1000 {
				table.Count("bad_header")
			}
		})
	}
	wg.Wait()
	table.Add("slow_reader", 3)
	var got string
	table.Each(func(name string, n uint64) { got += fmt.Sprintf("%s=%d ", name, n) })
	if want := "bad_header=8000 slow_reader=3 "; got != want {
		t.Errorf("counted %q, want %q", got, want)
	}
}

func TestTableIsBounded(t *testing.T) {
	var table Table
	for i := range MaxNames + 10 {
		table.Count(fmt.Sprint("reason", i))
	}
	if n := table.Value(Overflow); n != 10 {
		t.Errorf("%d reasons counted as %q, want 10", n, Overflow)
	}
}

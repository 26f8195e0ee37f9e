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

func TestCounter(t *testing.T) {
	var table Table
	a := table.Counter("a")
	if table.Counter("a") != a {
		t.Error("a name has two counters")
	}
	table.Counter("never")
	a.Count()
	a.Add(2)
	table.Count("a")
	if a.Value() != 4 || table.Value("a") != 4 {
		t.Errorf("counted %d and %d, want 4", a.Value(), table.Value("a"))
	}
	table.Each(func(name string, n uint64) {
		if name != "a" || n != 4 {
			t.Errorf("%s was counted %d times", name, n)
		}
	})
	if n := testing.AllocsPerRun(100, a.Count); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

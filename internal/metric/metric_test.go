package metric

import (
	"fmt"
	"sync"
	"testing"
	"time"
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
	table.Declare("never", "a")
	a.Count()
	a.Add(2)
	table.Count("a")
	if a.Value() != 4 || table.Value("a") != 4 {
		t.Errorf("counted %d and %d, want 4", a.Value(), table.Value("a"))
	}
	var got string
	table.Each(func(name string, n uint64) { got += fmt.Sprintf("%s=%d ", name, n) })
	if got != "a=4 never=0 " {
		t.Errorf("counted %q", got)
	}
	if n := testing.AllocsPerRun(100, a.Count); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestHistogram(t *testing.T) {
	h := NewHistogram(time.Millisecond, time.Second)
	for _, d := range []time.Duration{0, time.Millisecond, time.Millisecond + 1, time.Second, time.Minute} {
		h.Observe(d)
	}
	upTo, n, sum := h.Read()
	if upTo[0.001] != 2 || upTo[1] != 4 || n != 5 || sum != time.Minute+time.Second+2*time.Millisecond+1 {
		t.Errorf("up to %v of %d in %v", upTo, n, sum)
	}
	if n := testing.AllocsPerRun(100, func() { h.Observe(time.Hour) }); n != 0 {
		t.Errorf("observing allocates %v times", n)
	}
}

package components

import "testing"

func TestClockTranslates(t *testing.T) {
	var c Clock
	if got := c.World(77, 5000); got != 5000 {
		t.Errorf("before any answer a step is of %d ms, want its arrival at 5000", got)
	}
	if counter := c.Ask(10_000); counter != 0 {
		t.Errorf("first counter is %d", counter)
	}
	c.Answer(3, 1, 10_100) // to a request that was never made
	c.Answer(0, 1, 9_999)  // guessed in advance
	if c.Known != 0 {
		t.Errorf("an answer to nothing is believed: %+v", c)
	}
	c.Answer(0, 500, 10_100)
	if got := c.World(600, 10_200); got != 10_150 {
		t.Errorf("client time 600 is world time %d, want 10150", got)
	}
	if got := c.World(600, 20_000); got != 20_000 {
		t.Errorf("a time ten seconds off is world time %d, want its arrival", got)
	}
}

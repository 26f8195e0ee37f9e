package bench

// onlyInstructions says of a scenario what can fail its run. figure is what is counted there.
func onlyInstructions(figure string) string {
	return " No time fails a run. The " + figure + " of instructions in user mode does, wherever the kernel counts them, in a " +
		"quick run too; that of time is judged only."
}

// counter begins to count the instructions of the calling thread, to which its goroutine must be locked. Where nothing
// can be counted it is nil, which counts nothing, and the figures are noted as skipped.
func (s *sheet) counter(figures ...string) *instructionCounter {
	c, err := countInstructions()
	if err != nil {
		for _, figure := range figures {
			s.skip(figure, err.Error())
		}
		return nil
	}
	s.counts = c
	return c
}

// over is how many instructions a call takes, on average over so many.
func (c *instructionCounter) over(times int, do func()) float64 {
	from := c.read()
	for range times {
		do()
	}
	return (c.read() - from) / float64(times)
}

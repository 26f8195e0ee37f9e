package journal

import "time"

// An Absence is what Config.Away is given: the store takes nothing, or takes everything again.
type Absence struct {
	Err     error         // why it took nothing the last time; nil if it is back
	For     time.Duration // since it first took nothing; 0 the first time
	Records int           // characters that it does not have as they are; if it is back, the most that there were
	Bytes   int64         // of all files
}

// firstGrowth is after how long an absence is reported again; then after twice as long, and so on.
const firstGrowth = 10 * time.Second

// An absence is how long the store has taken nothing. It is the applier's.
type absence struct {
	since time.Time     // zero while the store takes what it is given
	next  time.Duration // of For, when it is reported again
	most  int           // records
}

// failed notes that the store has not taken a batch.
func (j *Journal) failed(err error) {
	a, s, now := &j.absence, j.Stats(), time.Now()
	if a.since.IsZero() {
		*a = absence{since: now}
	}
	a.most = max(a.most, s.Pending)
	if away := now.Sub(a.since); away >= a.next {
		j.config.Away(Absence{err, away, s.Pending, s.Bytes})
		a.next = max(firstGrowth, 2*a.next)
	}
}

// tookAll notes that the store has taken all that it was given.
func (j *Journal) tookAll() {
	if a := &j.absence; !a.since.IsZero() {
		j.config.Away(Absence{nil, time.Since(a.since), a.most, j.Stats().Bytes})
		*a = absence{}
	}
}

package terminal

import (
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// NewBar shows progress on a terminal; elsewhere it shows nothing. A total of -1 is not known.
func NewBar(w io.Writer, total int64, what string) *progressbar.ProgressBar {
	if !Is(w) {
		w = io.Discard
	}
	return progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription(what),
		progressbar.OptionFullWidth(),
		progressbar.OptionThrottle(200*time.Millisecond),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionSetSpinnerChangeInterval(0), // else a goroutine draws it as well, which reads what Finish writes
	)
}

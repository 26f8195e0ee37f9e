// Command clock prints, for each line that it reads, how much of the wall clock and of the monotonic one has gone by since it began, in seconds, and sleeps for a moment before.
package main

import (
	"bufio"
	"fmt"
	"os"
	"time"
)

func main() {
	began := time.Now()
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		time.Sleep(time.Millisecond)
		now := time.Now()
		fmt.Println(now.Round(0).Sub(began.Round(0)).Seconds(), now.Sub(began).Seconds())
	}
}

//go:build !race

package rawio

// raceDetector is whether the program is built with it.
const raceDetector = false

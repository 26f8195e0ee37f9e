package main

// support is the file that is compiled into a package with its changes: which of them is done, and operators that can
// be changed. With MUTANT_REACHED it notes the changes whose code runs.
const support = `
import (
	mutantcmp "cmp"
	mutantos "os"
	mutantconv "strconv"
)

var (
	mutantActive  = func() int { n, _ := mutantconv.Atoi(mutantos.Getenv("MUTANT")); return n }()
	mutantReached = func() *mutantos.File {
		if name := mutantos.Getenv("MUTANT_REACHED"); name != "" {
			f, _ := mutantos.OpenFile(name, mutantos.O_WRONLY|mutantos.O_APPEND|mutantos.O_CREATE, 0o600)
			return f
		}
		return nil
	}()
	mutantNoted [%d]bool
)

type mutantInteger interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

type mutantNumber interface {
	mutantInteger | ~float32 | ~float64
}

func mutantOn(id int) bool {
	if mutantReached != nil && !mutantNoted[id] {
		mutantNoted[id] = true
		mutantReached.WriteString(mutantconv.Itoa(id) + "\n")
	}
	return mutantActive == id
}

func mutantPick[T any](id int, a, b T) T {
	if mutantOn(id) {
		return b
	}
	return a
}

func mutantLess[T mutantcmp.Ordered](id int, a, b T) bool    { return mutantPick(id, a < b, a <= b) }
func mutantAtMost[T mutantcmp.Ordered](id int, a, b T) bool  { return mutantPick(id, a <= b, a < b) }
func mutantMore[T mutantcmp.Ordered](id int, a, b T) bool    { return mutantPick(id, a > b, a >= b) }
func mutantAtLeast[T mutantcmp.Ordered](id int, a, b T) bool { return mutantPick(id, a >= b, a > b) }
func mutantMin[T mutantcmp.Ordered](id int, a, b T) T        { return mutantPick(id, min(a, b), max(a, b)) }
func mutantMax[T mutantcmp.Ordered](id int, a, b T) T        { return mutantPick(id, max(a, b), min(a, b)) }
func mutantAdd[T mutantNumber](id int, a, b T) T             { return mutantPick(id, a+b, a-b) }
func mutantSub[T mutantNumber](id int, a, b T) T             { return mutantPick(id, a-b, a+b) }
func mutantMul[T mutantNumber](id int, a, b T) T             { return mutantPick(id, a*b, a+b) }
func mutantQuo[T mutantNumber](id int, a, b T) T             { return mutantPick(id, a/b, a*b) }
func mutantRem[T mutantInteger](id int, a, b T) T            { return mutantPick(id, a%%b, a+b) }
func mutantAnd[T mutantInteger](id int, a, b T) T            { return mutantPick(id, a&b, a|b) }
func mutantOr[T mutantInteger](id int, a, b T) T             { return mutantPick(id, a|b, a&b) }
func mutantAndNot[T mutantInteger](id int, a, b T) T         { return mutantPick(id, a&^b, a&b) }
func mutantShl[T, U mutantInteger](id int, a T, b U) T       { return mutantPick(id, a<<b, a>>b) }
func mutantShr[T, U mutantInteger](id int, a T, b U) T       { return mutantPick(id, a>>b, a<<b) }
`

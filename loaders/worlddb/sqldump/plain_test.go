package sqldump

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"muster/internal/testseed"
)

// Property: numbers that are read in one pass are those that strconv reads.
func TestPlainNumbers(t *testing.T) {
	dice := rand.New(rand.NewPCG(testseed.Of(t), 0))
	var literals []string
	for range 20_000 {
		literals = append(literals, strconv.FormatFloat((dice.Float64()-0.5)*float64(uint64(1)<<dice.IntN(60)), 'f', dice.IntN(19), 64))
	}
	literals = append(literals, "-0.0", "0.1", "9007199254740991.0", "9007199254740993.0", "0.30000000000000004", "1.", "12345678901234567", "123456789012345678", "00.50")
	r := NewReader(strings.NewReader("INSERT INTO t VALUES (" + strings.Join(literals, "),(") + "); -- and so many bytes that none is at the end"))
	if _, err := r.Next(); err != nil {
		t.Fatal(err)
	}
	for _, literal := range literals {
		row, err := r.Row()
		if err != nil {
			t.Fatal(literal, err)
		}
		want, err := strconv.ParseFloat(literal, 64)
		if row[0].Kind == Int {
			want += 0 // an integer has no -0
		}
		if got := row[0].Real(); err != nil || fmt.Sprintf("%x", got) != fmt.Sprintf("%x", want) {
			t.Errorf("%s is %x, want %x, %v", literal, got, want, err)
		}
	}
	if _, err := r.Row(); err != io.EOF {
		t.Error(err)
	}
}

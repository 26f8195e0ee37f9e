package limit

import (
	"testing"
	"time"
)

func TestText(t *testing.T) {
	for _, c := range []struct {
		limit Limit
		want  string
	}{
		{Limit{Value: 150}, "150"},
		{Limit{Value: 10_000, Unit: "players"}, "10,000 players"},
		{Limit{Value: -1_234_567}, "-1,234,567"},
		{Limit{Value: Bytes(1)}, "1 byte"},
		{Limit{Value: Bytes(10_235)}, "10,235 bytes"},
		{Limit{Value: Bytes(64 << 10)}, "64 KiB"},
		{Limit{Value: Bytes(3 << 20)}, "3 MiB"},
		{Limit{Value: 10 * time.Second}, "10s"},
		{Limit{Value: 15 * time.Minute}, "15m"},
		{Limit{Value: 24 * time.Hour}, "24h"},
		{Limit{Value: "0x51E"}, "0x51E"},
	} {
		if got := c.limit.Text(); got != c.want {
			t.Errorf("%+v is %q, want %q", c.limit, got, c.want)
		}
	}
}

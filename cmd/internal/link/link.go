// Package link has how processes of a realm reach each other over NATS: addresses, subjects, and for how long one may be silent.
package link

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// CheckURL refuses what are not the addresses of servers of NATS, with commas between them.
func CheckURL(text string) error {
	for one := range strings.SplitSeq(text, ",") {
		u, err := url.Parse(one)
		if err != nil || u.Scheme != "nats" && u.Scheme != "tls" || u.Host == "" {
			return errors.New("--bus is a URL, nats://HOST:PORT, or one for each server of NATS with commas between them")
		}
	}
	return nil
}

// Kept is for how long worlds keep frames for gateways in other processes: longer than a restart of the bus takes.
const Kept = 15 * time.Second

// CheckAway is an error once there has been no connection with NATS for longer than worlds keep frames for it: a shorter time costs players a pause.
func CheckAway(bus interface{ Away() time.Duration }) error {
	if away := bus.Away(); away > Kept {
		return fmt.Errorf("there has been no connection with NATS for %v", away.Truncate(time.Second))
	}
	return nil
}

// NewLife is another number for each process, ascending.
func NewLife() uint64 { return uint64(time.Now().UnixNano()) }

// Subject is a realm's name as a part of a subject: other signs than letters and digits are spelled in hex.
func Subject(realm string) string {
	var b strings.Builder
	for _, c := range []byte(realm) {
		if c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "_%02x", c)
		}
	}
	return b.String()
}

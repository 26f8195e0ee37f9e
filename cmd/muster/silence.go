package main

import (
	"fmt"
	"strconv"
	"time"
)

// A silence is the limits on clients that send nothing, under the names that AzerothCore has for them.
type silence struct {
	CloseIdleConnections    bool   `default:"true" negatable:"" help:"Close connections that are silent for too long (${default})."`
	SocketTimeOutTime       millis `default:"900000" placeholder:"MS" help:"On the character screen, after so many milliseconds, or a time as in 15m, with nothing but CMSG_PING and CMSG_KEEP_ALIVE (${default})."`
	SocketTimeOutTimeActive millis `default:"60000" placeholder:"MS" help:"In a world, after so long with nothing but CMSG_PING, never on a virtual clock (${default})."`
}

// A millis is a time that is given in milliseconds, or with its unit.
type millis struct{ time.Duration }

// UnmarshalText reads a number of milliseconds, or what time.ParseDuration does. It is at least a second.
func (m *millis) UnmarshalText(text []byte) (err error) {
	if n, e := strconv.ParseInt(string(text), 10, 32); e == nil {
		m.Duration = time.Duration(n) * time.Millisecond
	} else if m.Duration, err = time.ParseDuration(string(text)); err != nil {
		return err
	}
	if m.Duration < time.Second {
		return fmt.Errorf("%q is less than a second", text)
	}
	return nil
}

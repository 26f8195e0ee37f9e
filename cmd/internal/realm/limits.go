package realm

import (
	"fmt"
	"strconv"
	"time"

	"muster/net/gateway"
	"muster/net/gateway/session"
)

// A TwoSides is what the factions may do with each other, under the names that AzerothCore has for it.
type TwoSides struct {
	Chat    bool `name:"allow-two-side.interaction.chat" help:"Players of one faction may whisper to those of the other."`
	Channel bool `name:"allow-two-side.interaction.channel" help:"The factions have the same channels."`
	WhoList bool `name:"allow-two-side.who-list" help:"CMSG_WHO shows the players of both."`
}

// Rules are those of the gateway.
func (s *TwoSides) Rules() gateway.TwoSides {
	return gateway.TwoSides{Chat: s.Chat, Channel: s.Channel, WhoList: s.WhoList}
}

// A FloodPolicy is a list of policies as session.ParsePolicies reads it.
type FloodPolicy struct {
	policies [session.Classes]session.Policy
}

// UnmarshalText reads a list.
func (p *FloodPolicy) UnmarshalText(text []byte) (err error) {
	p.policies, err = session.ParsePolicies(string(text))
	return err
}

// A Silence is the limits on clients that send nothing, under the names that AzerothCore has for them.
type Silence struct {
	CloseIdleConnections    bool   `default:"true" negatable:"" help:"Close connections that are silent for too long (${default})."`
	SocketTimeOutTime       Millis `default:"900000" placeholder:"MS" help:"On the character screen, after so many milliseconds, or a time as in 15m, with nothing but CMSG_PING and CMSG_KEEP_ALIVE (${default})."`
	SocketTimeOutTimeActive Millis `default:"60000" placeholder:"MS" help:"In a world, after so long with nothing but CMSG_PING, never on a virtual clock (${default})."`
}

// A Millis is a time that is given in milliseconds, or with its unit.
type Millis struct{ time.Duration }

// UnmarshalText reads a number of milliseconds, or what time.ParseDuration does. It is at least a second.
func (m *Millis) UnmarshalText(text []byte) (err error) {
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

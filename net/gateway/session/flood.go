package session

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"muster/net/protocol/msg"
)

// A Class is the kind of thing that a message from a client is, by how often honest clients send it.
type Class uint8

// The classes. In Rare, Few, Use and Bulk every opcode has a count of its own; the others share one.
const (
	Plain   Class = iota // all that is in no other
	Strange              // opcodes without a row in msg.Table
	Often                // movement, and what a client may ask for again and again
	Rare                 // what costs the store much
	Few                  // what changes what is stored
	Use                  // of things in the world
	Bulk                 // settings that a client would keep with us

	// Classes is how many there are.
	Classes = int(Bulk) + 1
)

// A Policy is what becomes of a packet that is more than its class may have in a second.
//
// Source: the policies of antidos_opcode_policies, AzerothCore, where log is our Process.
type Policy uint8

// The policies. Each breach is counted as "flood." and the class, whatever becomes of it.
const (
	Keep     Policy = iota // as the class has it, for the configuration
	Process                // it is used all the same
	Drop                   // it is not used
	Throttle               // the session reads no further until the second is over
	Kick                   // the connection is closed for Flooded
	Ban                    // and the account banned: it is closed for FloodBan
)

var policyNames = [...]string{"keep", "process", "drop", "throttle", "kick", "ban"}

func (p Policy) String() string { return policyNames[p] }

// A Rate is how much of a class a session may send.
type Rate struct {
	Name      string // of the class
	PerSecond int    // of each opcode, or of all together
	Each      bool   // it is of each opcode
	Policy    Policy // what becomes of more
}

// Rates are those of the classes. What departs from the source: it counts heartbeats, and no other movement; it kicks
// for Rare, which would end bots that try one name for a character after another; and Plain, Strange and Bulk have no
// limit there but that of packets in an update.
//
// Source: antidos_opcode_policies, acore_world, AzerothCore.
var Rates = [Classes]Rate{
	Plain:   {"plain", 1000, false, Drop},
	Strange: {"strange", 200, false, Drop},
	Often:   {"often", 200, false, Kick},
	Rare:    {"rare", 3, true, Throttle},
	Few:     {"few", 10, true, Kick},
	Use:     {"use", 50, true, Kick},
	Bulk:    {"bulk", 20, true, Throttle},
}

// classed are the opcodes that have a class of their own; movement is Often.
//
// Source: antidos_opcode_policies, acore_world, AzerothCore, as for Rates.
var classed = []struct {
	op    uint16
	class Class
}{
	{msg.OpCharCreate, Rare},
	{msg.OpCharEnumQuery, Rare},
	{msg.OpCharDelete, Few},
	{msg.OpGameObjectUse, Use},
	{msg.OpWho, Often},
	{msg.OpContactListQuery, Often},
	{msg.OpRequestAccountData, Bulk},
	{msg.OpUpdateAccountData, Bulk},
}

// A meter counts the packets of one opcode, or of a class. The first are those of the classes.
var meterOf, classOf = meters()

const meterCount = Classes + 8

func meters() (meter [msg.Opcodes]uint8, class [meterCount]Class) {
	for op := range meter {
		switch {
		case msg.IsMove(uint16(op)):
			meter[op] = uint8(Often)
		case msg.Lookup(msg.ToServer, uint32(op)) == nil:
			meter[op] = uint8(Strange)
		}
	}
	for c := range Classes {
		class[c] = Class(c)
	}
	next := Classes
	for _, o := range classed {
		meter[o.op] = uint8(o.class)
		if Rates[o.class].Each {
			meter[o.op], class[next] = uint8(next), o.class
			next++
		}
	}
	return meter, class
}

// ClassOf is the class of an opcode below msg.Opcodes.
func ClassOf(op uint16) Class { return classOf[meterOf[op]] }

// ParsePolicies reads policies for classes, as in "rare=ban,often=drop". Classes that are not named are Keep.
func ParsePolicies(text string) (p [Classes]Policy, err error) {
	for pair := range strings.SplitSeq(text, ",") {
		if pair == "" {
			continue
		}
		name, what, _ := strings.Cut(pair, "=")
		class := slices.IndexFunc(Rates[:], func(r Rate) bool { return r.Name == name })
		policy := slices.Index(policyNames[:], what)
		if class < 0 || policy < 0 {
			return p, fmt.Errorf("session: %q is no class of messages and what becomes of a flood of them, as in rare=ban", pair)
		}
		p[class] = Policy(policy)
	}
	return p, nil
}

// Reasons for closing after too many packets.
const (
	Flooded  = "flooded"
	FloodBan = "flood_ban" // the owner bans the account
)

// A pace is how much a session has sent in a second that began with a packet.
type pace struct {
	second time.Time
	sent   [meterCount]uint16
	held   bool // until the second is over nothing more is read
	waited int  // full seconds in which nothing was read before what is read now: what was sent in them counts now
}

// maxWaited bounds pace.waited, our own choice: what may arrive in a second is then at most 61 times as much as usual,
// which pace.sent can count.
const maxWaited = 60

// policy is what becomes of a flood of a class.
func (c *Config) policy(class Class) Policy {
	if p := c.Policies[class]; p != Keep {
		return p
	}
	return Rates[class].Policy
}

// meter counts a received packet, and returns its policy: Process, if it is within its rate. A packet that is not used
// for Throttle is counted when it is read again.
func (s *Session) meter(t *Turn, op uint16) Policy {
	p := &s.pace
	if t.Now.Sub(p.second) >= time.Second {
		*p = pace{second: t.Now, waited: int(min(max(t.Lag, s.late)/time.Second, maxWaited))}
	}
	m := meterOf[op]
	class := classOf[m]
	rate := &Rates[class]
	if int(p.sent[m]) < rate.PerSecond*(1+p.waited) {
		p.sent[m]++
		return Process
	}
	policy := s.config.policy(class)
	if policy == Kick || policy == Ban { // closing is reported
		s.count(floods[class])
	} else {
		s.ignore(t, floods[class], policy)
	}
	return policy
}

// floods are the names under which breaches are counted.
var floods = func() (names [Classes]string) {
	for c := range names {
		names[c] = "flood." + Rates[c].Name
	}
	return names
}()

// rests reports whether the session reads nothing for now.
func (s *Session) rests(t *Turn) bool {
	if s.pace.held && t.Now.Sub(s.pace.second) >= time.Second {
		s.pace.held = false
	}
	return s.pace.held
}

// hold has the session read nothing until its second is over; its owner calls Resume then.
func (s *Session) hold(t *Turn) {
	s.pace.held = true
	t.Wait = max(time.Second-t.Now.Sub(s.pace.second), time.Millisecond)
}

// Resume reads on after a Turn.Wait.
func (s *Session) Resume(t *Turn) {
	if s.closed {
		return
	}
	s.due = false
	s.drop()
	s.resume(t)
}

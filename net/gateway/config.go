package gateway

import (
	"cmp"
	"log/slog"
	"net/netip"
	"runtime"
	"time"

	"muster/internal/metric"
	"muster/internal/refuse"
	"muster/loaders/store"
	"muster/net/gateway/session"
	"muster/net/protocol/update"
	"muster/net/replication/frame"
	"muster/net/replication/span"
	"muster/sched/ladder"
)

// Config is what a gateway is made with. Zero means the documented default.
type Config struct {
	Listen netip.AddrPort // default 127.0.0.1:8085; port 0 takes a free one

	// Exchanges has the world of each map, by its id. The gateway sets Published of each, so the worlds start
	// after New. Required.
	Exchanges map[uint32]*frame.Exchange
	// Store has the accounts and characters. Required.
	Store store.Store
	// Saver saves what worlds report of players. Without one, players are saved when they leave, and not
	// before.
	Saver Saver
	// Claims has each account play through one gateway at a time. Without it there is no other gateway with these accounts.
	Claims Claims
	// Others have the other players of the realm. Without them all are here.
	Others Others
	// Instances are the worlds of instanced maps, and Slots how many there are at most at a time. Without them no map is instanced.
	Instances Instances
	Slots     int
	// Start is where the n-th character begins, counted from 0. It may be called from several goroutines.
	// Required.
	Start func(n int) Place
	// StartOf is where characters of a race and class begin instead, if ok. Without one all begin at Start.
	StartOf func(race, class uint8) (at Place, ok bool)
	// Reasons are those for which worlds do not use what a client sends; others are logged as warnings.
	Reasons []refuse.Reason
	// Console executes the commands whose scope is the server. Without one there are none.
	Console Console
	// Templates answers what clients ask about creatures and items.
	Templates session.Templates

	// Tracer follows movements. Nil follows none.
	Tracer *span.Tracer

	// Lets reports whether accounts of a security level are let in. It may be called from several goroutines. Without it all are.
	Lets func(level uint8) bool

	Realm   uint32        // the id that clients must name; default 1
	Quantum time.Duration // the time that the number of a tick counts; default 50 ms
	// HeldStep is the shortest step in which loops are held between drain points; default 50 ms. In shorter ones input is
	// read as it arrives: there is processor to spare, or the step would be longer. Where the worlds are in other processes, to which input is sent once a step, that
	// gains sooner answers to pings and queries alone: 1 ns holds them in all steps, but while someone is on the way into a world.
	HeldStep time.Duration
	Pace     func() ladder.Rung // how long a step of the worlds is, and in how many of them a player is flushed once; default one unit and 2
	Update   update.Config      // how updates are written
	Budget   int                // bytes that a flush of one player should not exceed, by leaving out heartbeats; default 0, no limit

	Settings

	Loops    int // event loops; default one less than GOMAXPROCS, at least 1
	Workers  int // goroutines that do what clients ask of the store, and as many that save; default 4
	Requests int // that may wait for a worker, and as many saves; default 4,096

	// StoreTime is how long a client waits for what the store has to do for it, and how long one try of a save
	// may take. Default 10 s.
	StoreTime time.Duration

	// ClaimTime is how long a client waits for its account while another gateway has it: longer than the lease of one that is
	// gone. Default 45 s.
	ClaimTime time.Duration
	// SaveWait is for how long a client is not told that its character has left its world while that is not saved: less than frames are kept for it.
	// Default 2 s.
	SaveWait time.Duration

	Handshake time.Duration // from the connection to the login; default 10 s
	// Still is set if the clock of the worlds may stand still: what clients do not send in a world means nothing then.
	Still           bool
	Stall           time.Duration // until what was sent is taken; default 10 s
	MaxConnections  int           // default 20,000; never more than the process has descriptors for
	MaxPlayers      int           // let in at a time, others wait; default: as many as connections
	MaxPerAddress   int           // connections of one address; default 100
	LimitLoopback   bool          // MaxPerAddress holds for this machine, too
	PacketsPerDrain int           // of one session from one drain point to the next; default 150

	// Policies say what becomes of packets that are more than session.Rates; default as those have it.
	Policies [session.Classes]session.Policy

	Metric *metric.Table // counts the reasons of closing as "closed.<reason>", and what is dropped
	Log    *slog.Logger  // default slog.Default()
}

// A Place is the position of a character.
type Place struct {
	Map, Zone  uint32
	X, Y, Z, O float32 // yards, radians
}

// longStep is the step in which loops are held by default.
const longStep = 50 * time.Millisecond

// drainsPerStep is how often input is drained in a step of 50 ms of the worlds while some player is entering. While
// all are in a world it is half as often: see pollScheduler.
const drainsPerStep = 4

// mostConnections is how many there are at a time by default.
const mostConnections = 20_000

func (c *Config) setDefaults() {
	if !c.Listen.IsValid() {
		c.Listen = netip.MustParseAddrPort("127.0.0.1:8085")
	}
	c.Quantum = cmp.Or(c.Quantum, 50*time.Millisecond)
	c.HeldStep = cmp.Or(c.HeldStep, longStep)
	if c.Pace == nil {
		c.Pace = func() ladder.Rung { return ladder.Rung{Stride: 1, Phases: 2} }
	}
	c.Loops = cmp.Or(c.Loops, max(1, runtime.GOMAXPROCS(0)-1))
	c.Workers = cmp.Or(c.Workers, 4)
	c.Requests = cmp.Or(c.Requests, 4096)
	c.StoreTime = cmp.Or(c.StoreTime, 10*time.Second)
	c.ClaimTime = cmp.Or(c.ClaimTime, 45*time.Second)
	c.SaveWait = cmp.Or(c.SaveWait, 2*time.Second)
	c.Handshake = cmp.Or(c.Handshake, 10*time.Second)
	c.Stall = cmp.Or(c.Stall, 10*time.Second)
	c.MaxConnections = min(cmp.Or(c.MaxConnections, mostConnections), maxSockets())
	c.MaxPerAddress = cmp.Or(c.MaxPerAddress, 100)
	if c.Metric == nil {
		c.Metric = new(metric.Table)
	}
	if c.Log == nil {
		c.Log = slog.Default()
	}
	c.Settings.setDefaults()
}

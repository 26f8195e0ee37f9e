// Package console executes the commands of net/protocol/command whose scope is the server, passes the others on to the
// worlds, and reads those of operators: over a local socket, and on the terminal of the server itself.
package console

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"muster/internal/metric"
	"muster/net/gateway"
	"muster/net/protocol/command"
	"muster/net/protocol/msg"
	"muster/net/protocol/speech"
	"muster/sched/tickstats"
)

// A Realm is what a Console works on. *gateway.Gate is one; its methods are described there.
type Realm interface {
	Stats() gateway.Stats
	OnlinePlayers() []gateway.OnlinePlayer
	Find(name string) (gateway.OnlinePlayer, bool)
	FindGUID(guid uint64) (gateway.OnlinePlayer, bool)
	Kick(name string) bool
	KickAccount(account uint32) bool
	Announce(line string)
	Broadcast(m *msg.ChatServerMessage)
	Command(ctx context.Context, character string, level uint8, line string) ([]string, error)
}

// A Console does what operators, and players with a level, ask for. It may be called from any goroutine.
type Console struct {
	// Realm is set before the first call.
	Realm Realm
	// Accounts manages accounts; without it there are no commands for them.
	Accounts Accounts
	// TickStats are those of the worlds.
	TickStats []*tickstats.Stats
	// Shutdown ends the server, with the exit code of the process. Required.
	Shutdown func(code int)
	// Reload reads the settings again, and returns the lines of the answer; without it that is refused.
	Reload func() ([]string, error)
	// ReloadWorld reads a part of the imported world again, by the last word of its verb; without it that is refused.
	ReloadWorld func(ctx context.Context, part string) ([]string, error)
	// Cluster is the one that the server is part of; without one its commands are refused.
	Cluster Cluster
	// Upgrader is for a server whose worlds are in other processes; without one its command is refused.
	Upgrader Upgrader
	// Instances are those of the server; without them their commands are refused.
	Instances Instances
	// Executed is called with each command for all worlds that they have executed, as worlds that are made later do not hear of it; nil does nothing.
	Executed func(verb *command.Verb, args string)
	// Metric has what is counted.
	Metric *metric.Table
	// Log logs every command that needs a level; default none.
	Log *slog.Logger

	began time.Time
	ends  countdown
}

// New returns a console of a server that begins now.
func New() *Console { return &Console{began: time.Now()} }

// A Refusal is why a command is not executed, as the text for its caller.
type Refusal string

func (r Refusal) Error() string { return string(r) }

// Do is Run for players: errors are lines of the answer.
func (c *Console) Do(ctx context.Context, by gateway.Caller, line string) []string {
	said, err := c.Run(ctx, by, line)
	if err != nil {
		said = append(said, err.Error())
	}
	return said
}

// errText is the answer to a line that cannot be shown.
const errText Refusal = "That is not text."

// Run executes a command and returns the lines of its answer. The error is why it was not executed; errors that are
// no Refusal are of the store, the worlds, or ctx. A panic over a command is logged, and ends nothing.
func (c *Console) Run(ctx context.Context, by gateway.Caller, line string) (said []string, err error) {
	defer func() {
		if r := recover(); r != nil {
			c.panicked(r)
			said, err = nil, errPanic
		}
	}()
	if !speech.Shown(line) {
		return nil, errText
	}
	character := ""
	line = strings.TrimSpace(line)
	if by.Account == 0 { // callers in a chat have a character of their own
		line = strings.TrimLeft(line, ".!")
		if rest, named := strings.CutPrefix(line, "#"); named {
			character, line, _ = strings.Cut(rest, " ")
		}
	}
	self := ""
	if rest, ok := strings.CutPrefix(line, command.OfSelf); ok && character != "" {
		self, line = command.OfSelf, rest
	}
	m := command.Find(line, by.Level)
	if m.Outcome != command.Found {
		said := m.Explain()
		return said[1:], Refusal(said[0])
	}
	if m.Verb.Level > command.Player && c.Log != nil {
		c.Log.Info("verb", "logger", "commands.gm", "account", by.Account, "name", by.Name, "about", character,
			"verb", m.Verb.Path, "args", loggable(m))
	}
	switch m.Verb.Scope {
	case command.Server:
		return c.serve(ctx, &call{by: by, verb: m.Verb, args: command.Split(m.Args), text: m.Args})
	case command.Worlds:
		character = ""
	case command.Subject, command.Anywhere:
		if by.Account != 0 {
			character = by.Name
		}
		if f, ok := c.between(m.Verb, character, command.Split(m.Args)); ok {
			return f.do(ctx, c, by.Level)
		}
		if character == "" {
			return nil, Refusal(fmt.Sprintf("%s is about a character: say whose, as in #Anna %s.", m.Verb.Path, m.Verb.Path))
		}
	}
	said, err = refusals(c.Realm.Command(ctx, character, by.Level, self+line))
	if errors.Is(err, gateway.ErrNoPlayer) {
		return nil, Refusal(fmt.Sprintf("There is no %s in a world.", character))
	}
	if err == nil && m.Verb.Scope == command.Worlds && c.Executed != nil {
		c.Executed(m.Verb, m.Args)
	}
	return said, err
}

// refusals makes the answer of a world that has not executed a command a Refusal.
func refusals(said []string, err error) ([]string, error) {
	if errors.Is(err, gateway.ErrRefused) && len(said) > 0 {
		return said[1:], Refusal(said[0])
	}
	return said, err
}

// loggable is the part of a command's arguments that a log may contain: of an account none but its name, since others are
// passwords.
func loggable(m command.Match) string {
	if strings.HasPrefix(m.Verb.Path, "account") {
		name, _, _ := strings.Cut(m.Args, " ")
		return name
	}
	return m.Args
}

// errPanic is the answer to a command that has panicked.
const errPanic Refusal = "The verb has failed; the log says where."

func (c *Console) panicked(value any) {
	c.Metric.Count("console.panic")
	if c.Log != nil {
		c.Log.Error("console: panic", "panic", value, "stack", string(debug.Stack()))
	}
}

// A call is a command of the server's with its caller.
type call struct {
	by   gateway.Caller
	verb *command.Verb
	args command.Args
	text string // all arguments as they are
}

// serve executes a command of the server's.
func (c *Console) serve(ctx context.Context, a *call) ([]string, error) {
	for _, s := range served {
		if s.path == a.verb.Path {
			said, err := s.do(c, ctx, a)
			if errors.Is(err, command.ErrSyntax) {
				err = Refusal(a.verb.Usage())
			}
			return said, err
		}
	}
	return nil, Refusal(a.verb.Path + " is not there yet.")
}

// served has the implementation of each command of the server's.
var served = []struct {
	path string
	do   func(*Console, context.Context, *call) ([]string, error)
}{
	{"account", (*Console).account},
	{"account create", (*Console).accountCreate},
	{"account delete", (*Console).accountDelete},
	{"account onlinelist", (*Console).onlineList},
	{"account set gmlevel", (*Console).accountLevel},
	{"account set password", (*Console).accountPassword},
	{"announce", (*Console).announce},
	{"ban account", (*Console).banAccount},
	{"cluster", (*Console).cluster},
	{"cluster drain", (*Console).clusterDrain},
	{"cluster move", (*Console).clusterMove},
	{"cluster players", (*Console).clusterPlayers},
	{"cluster realm", (*Console).clusterRealm},
	{"cluster scale", (*Console).clusterScale},
	{"cluster stop", (*Console).clusterStop},
	{"cluster undrain", (*Console).clusterUndrain},
	{"cluster upgrade", (*Console).clusterUpgrade},
	{"commands", (*Console).commands},
	{"help", (*Console).help},
	{"instance enter", (*Console).instanceEnter},
	{"instance list", (*Console).instanceList},
	{"instance listbinds", (*Console).instanceBinds},
	{"instance unbind", (*Console).instanceUnbind},
	{"kick", (*Console).kick},
	{"reload config", (*Console).reloadConfig},
	{"reload creature_text", (*Console).reloadWorld},
	{"reload game_event", (*Console).reloadWorld},
	{"reload gossip", (*Console).reloadWorld},
	{"reload gossip_menu", (*Console).reloadWorld},
	{"reload gossip_menu_option", (*Console).reloadWorld},
	{"reload npc_vendor", (*Console).reloadWorld},
	{"reload smart_scripts", (*Console).reloadWorld},
	{"reload vendors", (*Console).reloadWorld},
	{"reload waypoint_data", (*Console).reloadWorld},
	{"reload waypoint_scripts", (*Console).reloadWorld},
	{"reload waypoints", (*Console).reloadWorld},
	{"server debug", (*Console).debug},
	{"server info", (*Console).info},
	{"server shutdown", (*Console).shutdown},
	{"server shutdown cancel", (*Console).shutdownCancel},
	{"teleport add", (*Console).teleportAdd},
	{"tick", (*Console).slowTicks},
	{"unban account", (*Console).unbanAccount},
}

// reloadConfig reads the settings again.
//
// Source: HandleReloadConfigCommand, cs_reload.cpp, AzerothCore.
func (c *Console) reloadConfig(_ context.Context, a *call) ([]string, error) {
	if err := a.args.End(); err != nil {
		return nil, err
	}
	if c.Reload == nil {
		return nil, Refusal("This server has no settings to read again.")
	}
	return c.Reload()
}

// reloadWorld reads a part of the world again.
//
// Source: HandleReloadSmartScripts, HandleReloadCreatureText and others, cs_reload.cpp, AzerothCore.
func (c *Console) reloadWorld(ctx context.Context, a *call) ([]string, error) {
	if err := a.args.End(); err != nil {
		return nil, err
	}
	if c.ReloadWorld == nil {
		return nil, Refusal("This server has no imported world: it was started without --world-db.")
	}
	said, err := refusals(c.ReloadWorld(ctx, strings.TrimPrefix(a.verb.Path, "reload ")))
	if refused := Refusal(""); err != nil && !errors.As(err, &refused) && !errors.Is(err, gateway.ErrSilent) {
		err = Refusal("Nothing is replaced: " + err.Error() + ".")
	}
	return said, err
}

func (c *Console) announce(_ context.Context, a *call) ([]string, error) {
	if a.text == "" {
		return nil, command.ErrSyntax
	}
	line := "[Server] " + a.text
	if a.by.Account != 0 {
		line = fmt.Sprintf("[%s] %s", a.by.Name, a.text)
	}
	c.Realm.Announce(line)
	return nil, nil
}

// kick closes the connection of a player that is named, or selected; not the caller's own, and not that of an account of a
// higher level. One whose level is not known is not kicked.
//
// Source: HandleKickPlayerCommand, cs_misc.cpp, and ChatHandler::HasLowerSecurity, AzerothCore.
func (c *Console) kick(_ context.Context, a *call) ([]string, error) {
	name := c.selected(a.by)
	if a.args.Len() > 0 || name == "" {
		name = a.args.Word()
	}
	a.args.Rest() // the reason, for the log
	if err := a.args.End(); err != nil {
		return nil, err
	}
	if a.by.Account != 0 && strings.EqualFold(name, a.by.Name) {
		return nil, Refusal("You cannot kick yourself.")
	}
	player, ok := c.Realm.Find(name)
	if ok && player.SecurityLevel > a.by.Level {
		return nil, errRank
	}
	if !ok || !c.Realm.Kick(name) {
		return nil, Refusal(fmt.Sprintf("There is no %s in a world.", name))
	}
	return []string{name + " is out."}, nil
}

// selected is the name of the player that a caller has selected, "" if there is none.
func (c *Console) selected(by gateway.Caller) string {
	if by.Selected == 0 {
		return ""
	}
	player, _ := c.Realm.FindGUID(by.Selected)
	return player.Name
}

func (c *Console) help(_ context.Context, a *call) ([]string, error) {
	if a.text == "" {
		return []string{"Say help and a verb. The verbs that there are: commands."}, nil
	}
	switch m := command.Find(a.text, a.by.Level); m.Outcome {
	case command.Found:
		return []string{m.Verb.Usage(), m.Verb.About}, nil
	default:
		said := m.Explain()
		return said[1:], Refusal(said[0])
	}
}

func (c *Console) commands(_ context.Context, a *call) ([]string, error) {
	if err := a.args.End(); err != nil {
		return nil, err
	}
	said := []string{"The verbs that there are for you:"}
	for i := range command.Table {
		if v := &command.Table[i]; v.Level <= a.by.Level {
			said = append(said, v.Path)
		}
	}
	return said, nil
}

// maxDebug bounds the list of counters.
const maxDebug = 60

func (c *Console) debug(_ context.Context, a *call) (said []string, err error) {
	if err := a.args.End(); err != nil {
		return nil, err
	}
	stats := c.Realm.Stats()
	said = append(said, fmt.Sprintf("packets %d, flushes %d, one in %d ticks, bytes %d", stats.Packets, stats.Flushes, stats.Phases, stats.Bytes))
	c.Metric.Each(func(name string, n uint64) {
		if n > 0 && len(said) < maxDebug {
			said = append(said, fmt.Sprintf("%s %d", name, n))
		}
	})
	return said, nil
}

// A countdown is to the end of the server.
type countdown struct {
	mu    sync.Mutex
	timer *time.Timer
	since time.Time     // when the timer was set,
	left  time.Duration // and what was left then
	code  int
}

// maxDelay bounds the time to the end.
const maxDelay = 30 * 24 * time.Hour

func (c *Console) shutdown(_ context.Context, a *call) ([]string, error) {
	delay, forever, ok := command.Term(a.args.Word())
	code := int64(0)
	if a.args.Len() > 0 {
		code = a.args.Int(0, 125) // what a shell leaves to programs
	}
	if err := a.args.End(); err != nil || !ok || forever || delay > maxDelay {
		return nil, command.ErrSyntax
	}
	c.ends.mu.Lock()
	defer c.ends.mu.Unlock()
	if c.ends.timer != nil {
		c.ends.timer.Stop()
	}
	c.ends.left, c.ends.code = delay, int(code)
	c.count()
	return []string{"The server ends in " + span(delay) + "."}, nil
}

// count announces how much time is left, and waits for the next time to do so. The countdown is locked.
//
// Source: World::ShutdownMsg, AzerothCore, whose times are these.
func (c *Console) count() {
	e := &c.ends
	if e.left <= 0 {
		e.timer = nil
		c.Shutdown(e.code)
		return
	}
	c.Realm.Broadcast(&msg.ChatServerMessage{Kind: msg.ServerShutdown, Text: span(e.left) + "."})
	step := e.left % time.Second
	if step == 0 {
		step = time.Second
	}
	for _, every := range [...]time.Duration{12 * time.Hour, time.Hour, 15 * time.Minute, 5 * time.Minute, time.Minute, 15 * time.Second, 5 * time.Second} {
		if e.left > every {
			if step = e.left % every; step == 0 {
				step = every
			}
			break
		}
	}
	var mine *time.Timer
	mine = time.AfterFunc(step, func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		if e.timer == mine {
			e.left -= step
			c.count()
		}
	})
	e.timer, e.since = mine, time.Now()
}

// Continue takes over the countdown to the end of the server, if there is one, from the console of a realm that has ended.
func (c *Console) Continue(from *Console) {
	e := &from.ends
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.timer == nil {
		return
	}
	e.timer.Stop()
	e.timer = nil
	c.ends.mu.Lock()
	defer c.ends.mu.Unlock()
	c.ends.left, c.ends.code = e.left-time.Since(e.since), e.code
	c.count()
}

func (c *Console) shutdownCancel(_ context.Context, a *call) ([]string, error) {
	if err := a.args.End(); err != nil {
		return nil, err
	}
	c.ends.mu.Lock()
	defer c.ends.mu.Unlock()
	if c.ends.timer == nil {
		return nil, Refusal("The server is not about to end.")
	}
	c.ends.timer.Stop()
	c.ends.timer = nil
	c.Realm.Broadcast(&msg.ChatServerMessage{Kind: msg.ServerShutdownCancelled})
	return []string{"The server lives."}, nil
}

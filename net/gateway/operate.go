package gateway

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"muster/net/protocol/command"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
)

// A Console executes the commands whose scope is the server. Do returns the lines of output; it may take a
// while, which ctx bounds, and is called from several goroutines.
type Console interface {
	Do(ctx context.Context, by Caller, line string) []string
}

// A Caller is the origin of a command.
type Caller struct {
	Account  uint32 // 0 on the console
	Level    uint8
	Name     string // of the character; "" on the console
	Map      uint32 // that the character is on
	Selected uint64 // GUID of the character's selection, 0 none
}

// Kicked is why a connection closes that a command has closed.
const Kicked = "kicked"

// OnlinePlayer is a player in a world, as operators see it.
type OnlinePlayer struct {
	ID      uint64 // of the connection
	Name    string
	GUID    uint64
	Account uint32
	Level   uint8
	Map     uint32
	From    string        // address
	Queued  int           // bytes that it has not taken yet
	Waits   time.Duration // for how long the first of them have waited
	In, Out uint64        // bytes received from it and sent to it, since it connected

	SecurityLevel uint8 // of the account, 0 player to 3 administrator
}

// OnlinePlayers lists the players in worlds, in the order of their session numbers.
func (g *Gate) OnlinePlayers() (all []OnlinePlayer) {
	g.roster.mu.Lock()
	defer g.roster.mu.Unlock()
	for _, p := range g.roster.numbers {
		if online, ok := p.online(); ok {
			all = append(all, online)
		}
	}
	return all
}

// online is a player as operators see it, while the roster is locked. It is not ok if the player is nil.
func (p *player) online() (online OnlinePlayer, ok bool) {
	if p == nil {
		return online, false
	}
	c := p.conn
	online = OnlinePlayer{
		c.id, p.character.Name, p.guid, p.account, p.character.Level, p.worldLink.id, c.from.String(),
		int(c.queued.Load()), 0, c.received.Load(), c.sent.Load(),
		p.character.SecurityLevel,
	}
	if since := c.waits.Load(); since > 0 {
		online.Waits = time.Since(processBegan) - time.Duration(since)
	}
	return online, true
}

// NameOf is the name of a player in a world, "" if there is none of that GUID.
func (g *Gate) NameOf(guid uint64) string {
	g.roster.mu.Lock()
	defer g.roster.mu.Unlock()
	if p := g.roster.online[guid]; p != nil {
		return p.character.Name
	}
	return ""
}

// Kick closes the connection of a player in a world, or takes it out if it has lost it. It reports whether there is one of that name.
func (g *Gate) Kick(name string) bool {
	p := g.roster.named(name)
	if p == nil {
		return false
	}
	p.conn.loop.do(func() { p.conn.markClosing(Kicked) })
	p.evict()
	return true
}

// KickAccount closes the connection of an account, and takes out a player that has lost its own. It reports whether there
// was one.
func (g *Gate) KickAccount(account uint32) bool {
	g.roster.mu.Lock()
	c, p := g.roster.seats[account], g.roster.players[account]
	g.roster.mu.Unlock()
	if c != nil {
		c.loop.do(func() { c.markClosing(Kicked) })
	}
	if p != nil {
		p.evict()
	}
	return c != nil || p != nil
}

// Announce sends a line of text to all players in worlds.
func (g *Gate) Announce(line string) {
	g.broadcast(packet(msg.OpChat, &msg.Chat{Type: msg.ChatSystem, Language: msg.Universal, Text: line}))
}

// Broadcast sends a notification about the server to all players in worlds.
func (g *Gate) Broadcast(m *msg.ChatServerMessage) { g.broadcast(packet(msg.OpChatServerMessage, m)) }

func (g *Gate) broadcast(packet []byte) {
	g.eachLoop(func(l *loop) {
		for _, c := range l.conns {
			c.hear(packet)
		}
	})
}

// Why a world does not answer.
var (
	ErrNoPlayer = errors.New("gateway: no player of that name is in a world")
	ErrSilent   = errors.New("gateway: a world does not answer")
	// ErrRefused is returned with the answer of a world that has not executed a command.
	ErrRefused = errors.New("gateway: a world has not executed it")
)

type postedKey struct{}

// OnPosted has f called after each time that Command gives a line to a world, before it waits for the answer.
func OnPosted(ctx context.Context, f func()) context.Context {
	return context.WithValue(ctx, postedKey{}, f)
}

// Command gives a line to the world of a character, in its name, or to all worlds if the name is empty, and waits for
// their answers. Equal answers are returned once. A world that cannot be entered yet does not answer.
func (g *Gate) Command(ctx context.Context, character string, level uint8, line string) ([]string, error) {
	links, number := g.worldLinks(), frame.NoSession
	if character != "" {
		p := g.roster.named(character)
		if p == nil {
			return nil, ErrNoPlayer
		}
		links, number = []*worldLink{p.worldLink}, p.session
	}
	return g.ask(ctx, links, character != "", func(s *worldLink, id uint64) error {
		return s.post(number, &frame.Command{ID: id, Level: level, Text: line})
	})
}

// Reload gives all worlds a part of their definitions, which is written for each map, and waits for their answers, as Command does.
func (g *Gate) Reload(ctx context.Context, part func(mapID uint32) ([]byte, error)) ([]string, error) {
	return g.ask(ctx, g.worldLinks(), false, func(s *worldLink, id uint64) error {
		b, err := part(s.id)
		if err != nil {
			return err
		}
		var in frame.Inbox
		for _, it := range frame.Reloads(id, s.port.NowMs(), b) {
			if err := in.Add(it); err != nil {
				return err
			}
		}
		return s.port.Post(&in)
	})
}

// ask gives something to worlds, one after the other, and waits for their answers. Equal answers are returned once. Of an instance that has ended
// there is none, unless it is the one that is named.
func (g *Gate) ask(ctx context.Context, links []*worldLink, named bool, post func(s *worldLink, id uint64) error) (said []string, why error) {
	links = slices.SortedFunc(slices.Values(links), func(a, b *worldLink) int { return cmp.Compare(a.id, b.id) })
	for _, s := range links {
		if s.slot != 0 && (!s.open() || s.port.Stopped()) {
			continue // there is no instance
		}
		if !s.open() {
			why = ErrSilent
			continue
		}
		text, err := g.askOne(ctx, s, post)
		if err != nil && s.slot != 0 && !named && s.port.Stopped() {
			continue // it has ended meanwhile
		}
		if err != nil {
			return said, err
		}
		text, no := strings.CutPrefix(text, command.NotDone)
		if no && why == nil {
			why = ErrRefused
		}
		for line := range strings.Lines(text) {
			if line = strings.TrimSuffix(line, "\n"); !slices.Contains(said, line) {
				said = append(said, line)
			}
		}
	}
	return said, why
}

// Tell gives a line to all worlds, and does not wait for answers: worlds whose clock stands still execute it when it goes on.
// The error is that of the worlds that take nothing any more.
func (g *Gate) Tell(level uint8, line string) error {
	var errs []error
	for _, s := range g.worldLinks() {
		errs = append(errs, s.post(frame.NoSession, &frame.Command{Level: level, Text: line}))
	}
	return errors.Join(errs...)
}

// post puts a command into the inbox of a world.
func (s *worldLink) post(number uint32, c *frame.Command) error {
	var in frame.Inbox
	in.Add(frame.Item{Session: number, AtMs: s.port.NowMs(), Op: frame.OpCommand, Body: msg.Append(nil, wire.V12340, c)})
	return s.port.Post(&in)
}

func (g *Gate) askOne(ctx context.Context, s *worldLink, post func(s *worldLink, id uint64) error) (string, error) {
	id, answer := g.pendingCommands.begin()
	defer g.pendingCommands.end(id)
	if err := post(s, id); err != nil {
		return "", err
	}
	if f, ok := ctx.Value(postedKey{}).(func()); ok {
		f()
	}
	select {
	case text := <-answer:
		return text, nil
	case <-ctx.Done():
		return "", ErrSilent
	case <-s.kept: // the world has ended, perhaps with the answer
		select {
		case text := <-answer:
			return text, nil
		default:
			return "", ErrSilent
		}
	case <-g.done:
		return "", ErrSilent
	}
}

// pendingCommands are the commands that worlds have not answered yet.
type pendingCommands struct {
	mu   sync.Mutex
	last uint64
	open map[uint64]chan string // each has room for its answer
}

func (e *pendingCommands) begin() (id uint64, answer chan string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.open == nil {
		e.open = make(map[uint64]chan string)
	}
	e.last++
	answer = make(chan string, 1)
	e.open[e.last] = answer
	return e.last, answer
}

func (e *pendingCommands) end(id uint64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.open, id)
}

// take passes answers on. Answers to callers that no longer wait are dropped.
func (e *pendingCommands) take(answers []frame.Answered) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, a := range answers {
		if c := e.open[a.ID]; c != nil {
			c <- a.Text
			delete(e.open, a.ID)
		}
	}
}

// Package control lets programs control a running server over HTTP: everything that the commands of operators do, with
// answers for machines. It is part of what net/ops/admin serves, under its access control.
//
// Operations lists what there is. The paths that are served and the OpenAPI document, which GET /api/openapi.json answers, are
// both made of that list. A request is JSON; an answer is JSON, and of an error it is {"error": "…", "reason": "…"}, whose
// reason is a word to branch on.
package control

import (
	"context"
	"encoding/json"
	"net/http"
	"sync/atomic"
	"time"

	"muster/internal/metric"
	"muster/loaders/store"
	"muster/net/gateway"
	"muster/net/login/account"
	"muster/net/ops/admin"
	"muster/net/replication/inspect"
	"muster/sched"
)

// Config is what is controlled.
type Config struct {
	Console  Console
	Accounts Accounts
	Gate     Gate
	Store    store.Store
	Worlds   []World
	// ClockDriver turns the clock; nil if that is real.
	ClockDriver *sched.ClockDriver
	// Zone is the zone of a place. It is asked for maps that have a world.
	Zone func(mapID uint32, x, y float32) uint32
	// Now is the time of the worlds.
	Now func() time.Duration
	// Happenings keeps what happens.
	Happenings *Happenings
	// Metric counts what is refused, as control.<reason>.
	Metric *metric.Table
}

// A World is one of the server's.
type World struct {
	Map       uint32
	Inspector *inspect.Inspector
}

// A Console executes commands. *console.Console is one.
type Console interface {
	Run(ctx context.Context, by gateway.Caller, line string) (said []string, err error)
}

// Accounts manages accounts. *account.Accounts is one; its methods are described there.
type Accounts interface {
	CreateAs(ctx context.Context, name, password string, level, expansion uint8) (store.Account, error)
	Delete(ctx context.Context, name string) error
	SetPassword(ctx context.Context, name, password string) error
	SetLevel(ctx context.Context, name string, level uint8) error
	Ban(ctx context.Context, name string, until time.Time, reason string) (account uint32, err error)
	Unban(ctx context.Context, name string) error
}

var _ Accounts = (*account.Accounts)(nil)

// A Gate has the sessions. *gateway.Gate is one; its methods are described there.
type Gate interface {
	OnlinePlayers() []gateway.OnlinePlayer
	Find(name string) (gateway.OnlinePlayer, bool)
	Kick(name string) bool
	KickAccount(account uint32) bool
	CreateCharacter(ctx context.Context, c store.Character) (store.Character, error)
	DeleteCharacter(ctx context.Context, account uint32, guid uint64) error
}

// A Control executes operations. It may be used from any goroutine.
type Control struct {
	config   Config
	runs     atomic.Int32 // that wait for a condition
	watchers atomic.Int32 // that wait for happenings
}

// New returns a control.
func New(c Config) *Control {
	if c.Metric == nil {
		c.Metric = new(metric.Table)
	}
	c.Metric.Declare(counters()...)
	return &Control{config: c}
}

// Parts are the paths of the operations, and that of the document about them and about others that are listed.
func (c *Control) Parts(listed ...Operation) []admin.Part {
	var parts []admin.Part
	for _, o := range Operations() {
		parts = append(parts, admin.Part{Pattern: o.Method + " " + o.Path, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			o.serve(c, w, r)
		})})
	}
	document := Document(append(Operations(), listed...))
	return append(parts, admin.Part{Pattern: "GET /api/openapi.json", Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Write(document)
	})})
}

// Operations lists everything that a Control does.
func Operations() []Operation {
	return []Operation{
		operation("console", "POST", "/api/console", "execute a line as muster ctl does: any command of docs/VERBS.md, "+
			"in the name of a character as in #Anna levelup 5", (*Control).console),
		operation("createAccount", "POST", "/api/accounts", "create an account", (*Control).createAccount),
		operation("deleteAccount", "DELETE", "/api/accounts/{account}", "delete an account with its characters, and close its session", (*Control).deleteAccount),
		operation("setPassword", "POST", "/api/accounts/{account}/password", "give an account another password", (*Control).setPassword),
		operation("setAccountLevel", "POST", "/api/accounts/{account}/level", "give an account a security level, from its next login on", (*Control).setLevel),
		operation("ban", "POST", "/api/accounts/{account}/ban", "ban an account, and close its session", (*Control).ban),
		operation("unban", "POST", "/api/accounts/{account}/unban", "lift a ban", (*Control).unban),
		operation("createCharacter", "POST", "/api/characters", "create a character, as a client does, but of any level", (*Control).createCharacter),
		operation("deleteCharacter", "DELETE", "/api/characters/{name}", "delete a character; one in a world is taken out", (*Control).deleteCharacter),
		operation("kick", "POST", "/api/characters/{name}/kick", "close the connection of a character in a world", (*Control).kick),
		operation("character", "GET", "/api/characters/{name}", "the state of a character, in a world or stored", (*Control).character),
		operation("teleport", "POST", "/api/characters/{name}/teleport", "move a character to a place of any map, from the next tick on", (*Control).teleport),
		operation("setLevel", "POST", "/api/characters/{name}/level", "give a character in a world a level", (*Control).level),
		operation("setHealth", "POST", "/api/characters/{name}/health", "set the health of a living character; less than 0 takes so much", (*Control).health),
		operation("setMana", "POST", "/api/characters/{name}/mana", "set the mana of a character", (*Control).mana),
		operation("giveMoney", "POST", "/api/characters/{name}/money", "give a character copper; less than 0 takes it", (*Control).money),
		operation("setMoney", "PUT", "/api/characters/{name}/money", "have a character own so much copper", (*Control).setMoney),
		operation("setPower", "POST", "/api/characters/{name}/power", "set the mana, rage, energy or runic power of a character", (*Control).power),
		operation("giveItems", "POST", "/api/characters/{name}/items", "give a character items, or take them", (*Control).items),
		operation("learn", "POST", "/api/characters/{name}/spells", "teach a character a spell", (*Control).learn),
		operation("unlearn", "DELETE", "/api/characters/{name}/spells/{spell}", "have a character forget a spell", (*Control).unlearn),
		operation("addAura", "POST", "/api/characters/{name}/auras", "put the auras of a spell on a character", (*Control).aura),
		operation("removeAura", "DELETE", "/api/characters/{name}/auras/{spell}", "take the auras of a spell off a character", (*Control).unaura),
		operation("revive", "POST", "/api/characters/{name}/revive", "bring a character back to life", (*Control).revive),
		operation("kill", "POST", "/api/characters/{name}/kill", "kill a character", (*Control).kill),
		operation("creatures", "GET", "/api/creatures", "creatures of a map", (*Control).creatures),
		operation("creature", "GET", "/api/creatures/{guid}", "the state of a creature", (*Control).creature),
		operation("spawn", "POST", "/api/creatures", "bring a creature to a place", (*Control).spawn),
		operation("remove", "DELETE", "/api/creatures/{guid}", "take a creature out of its world", (*Control).remove),
		waiting(operation("run", "POST", "/api/run", "wait for a condition; on a virtual clock that stands, take the steps for it", (*Control).run)),
		happenings,
		operation("announce", "POST", "/api/announce", "send a text to all players", (*Control).announce),
	}
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v)
}

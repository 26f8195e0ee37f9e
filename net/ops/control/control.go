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
	"time"

	"muster/loaders/store"
	"muster/net/gateway"
	"muster/net/login/account"
	"muster/net/ops/admin"
)

// Config is what is controlled. All of it is required.
type Config struct {
	Console  Console
	Accounts Accounts
	Gate     Gate
	Store    store.Store
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
	Kick(name string) bool
	KickAccount(account uint32) bool
	CreateCharacter(ctx context.Context, c store.Character) (store.Character, error)
	DeleteCharacter(ctx context.Context, account uint32, guid uint64) error
}

// A Control executes operations. It may be used from any goroutine.
type Control struct{ config Config }

// New returns a control.
func New(c Config) *Control { return &Control{config: c} }

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
	}
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v)
}

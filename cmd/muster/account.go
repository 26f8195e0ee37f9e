package main

import (
	"context"
	"fmt"
	"net/netip"
	"strings"
	"time"

	"muster/cmd/internal/flags"
	"muster/cmd/internal/loginpolicy"
	"muster/cmd/internal/realmstore"
	"muster/cmd/internal/terminal"
	"muster/loaders/store"
	"muster/net/login/account"
	"muster/net/protocol/command"
)

// accountVerbs manage accounts, in the store: with a server on it or not.
type accountVerbs struct {
	Create   accountCreate   `cmd:"" help:"Make an account."`
	Password accountPassword `cmd:"" help:"Give an account another password."`
	Level    accountLevel    `cmd:"" help:"Give an account a level: 0 player, 1 moderator, 2 game master, 3 administrator."`
	Ban      accountBan      `cmd:"" help:"Ban an account."`
	Unban    accountUnban    `cmd:"" help:"Lift a ban, also one for wrong passwords."`
	Lock     accountLock     `cmd:"" help:"Lock an account to an address, or unlock it."`
	List     accountList     `cmd:"" help:"List accounts by name."`
	Delete   accountDelete   `cmd:"" help:"Forget an account, its characters, and all that they have."`
}

// Help is printed below the flags' own.
func (*accountVerbs) Help() string {
	return `A server may run meanwhile. A change counts from the next login on: players in the world stay. To ban a player and
end the play at once, ask the server: muster ctl ban account NAME TIME REASON.`
}

// accounts calls a function with the accounts of the selected store.
func accounts(ctx context.Context, k *realmstore.Selection, mustExist bool, do func(*account.Accounts) error) error {
	return k.With(ctx, mustExist, func(s store.Store) error { return do(&account.Accounts{Store: s}) })
}

type accountCreate struct {
	realmstore.Selection
	Name      string  `arg:"" help:"1 to 16 letters, digits and signs; its case does not matter."`
	Password  *string `arg:"" optional:"" help:"1 to 16 letters, digits, signs and spaces; its case does not matter. Without it, it is asked for, or read from standard input: others can see arguments."`
	Level     uint8   `default:"0" placeholder:"N" help:"0 player, 1 moderator, 2 game master, 3 administrator (${default})."`
	Expansion uint8   `default:"2" placeholder:"N" help:"The last that it may play: 0, 1 or 2 (${default})."`
}

// Validate refuses what no account can have.
func (v *accountCreate) Validate() error {
	if _, err := account.Name(v.Name); err != nil {
		return err
	}
	switch {
	case v.Level > account.MaxLevel:
		return account.ErrLevel
	case v.Expansion > account.MaxExpansion:
		return account.ErrExpansion
	}
	return checkArgument(v.Password)
}

// checkArgument refuses a password with which no client could log in.
func checkArgument(password *string) error {
	if password == nil {
		return nil
	}
	return account.CheckPassword(*password)
}

func (v *accountCreate) Run(ctx context.Context, env *flags.Environment) error {
	password, err := terminal.Password(env.Stderr, v.Password)
	if err != nil {
		return err
	}
	return accounts(ctx, &v.Selection, false, func(all *account.Accounts) error {
		a, err := all.CreateAs(ctx, v.Name, password, v.Level, v.Expansion)
		return say(env, err, "account %d, %s, is made\n", a.ID, a.Name)
	})
}

// say prints what was done.
func say(env *flags.Environment, err error, format string, args ...any) error {
	if err == nil {
		_, err = fmt.Fprintf(env.Stdout, format, args...)
	}
	return err
}

type accountPassword struct {
	realmstore.Selection
	Name     string  `arg:""`
	Password *string `arg:"" optional:"" help:"As of create."`
}

// Validate refuses a password with which no client could log in.
func (v *accountPassword) Validate() error { return checkArgument(v.Password) }

func (v *accountPassword) Run(ctx context.Context, env *flags.Environment) error {
	password, err := terminal.Password(env.Stderr, v.Password)
	if err != nil {
		return err
	}
	return accounts(ctx, &v.Selection, true, func(all *account.Accounts) error {
		return say(env, all.SetPassword(ctx, v.Name, password), "the password of %s is another\n", v.Name)
	})
}

type accountLevel struct {
	realmstore.Selection
	Name  string `arg:""`
	Level uint8  `arg:"" help:"0 player, 1 moderator, 2 game master, 3 administrator."`
}

// Validate refuses other levels.
func (v *accountLevel) Validate() error {
	if v.Level > account.MaxLevel {
		return account.ErrLevel
	}
	return nil
}

func (v *accountLevel) Run(ctx context.Context, env *flags.Environment) error {
	return accounts(ctx, &v.Selection, true, func(all *account.Accounts) error {
		return say(env, all.SetLevel(ctx, v.Name, v.Level), "%s has level %d from its next login on\n", v.Name, v.Level)
	})
}

type accountBan struct {
	realmstore.Selection
	Name   string   `arg:""`
	Term   string   `arg:"" help:"Seconds, or a time as in 4d20h3s; for ever if it is negative, after --."`
	Reason []string `arg:"" help:"The reason, for lists of accounts."`
}

// Validate refuses a time that is none.
func (v *accountBan) Validate() error {
	if _, _, ok := command.Term(v.Term); !ok {
		return loginpolicy.ErrTerm
	}
	return nil
}

func (v *accountBan) Run(ctx context.Context, env *flags.Environment) error {
	term, forever, _ := command.Term(v.Term)
	var until time.Time
	end := "for ever"
	if !forever {
		until = time.Now().Add(term)
		end = "until " + until.UTC().Format(time.DateTime) + " UTC"
	}
	return accounts(ctx, &v.Selection, true, func(all *account.Accounts) error {
		_, err := all.Ban(ctx, v.Name, until, strings.Join(v.Reason, " "))
		return say(env, err, "%s is banned %s\n", v.Name, end)
	})
}

type accountUnban struct {
	realmstore.Selection
	Name string `arg:""`
}

func (v *accountUnban) Run(ctx context.Context, env *flags.Environment) error {
	return accounts(ctx, &v.Selection, true, func(all *account.Accounts) error {
		return say(env, all.Unban(ctx, v.Name), "%s is not banned\n", v.Name)
	})
}

type accountLock struct {
	realmstore.Selection
	Name    string     `arg:""`
	Address netip.Addr `arg:"" optional:"" help:"From which alone it is let in, of IPv6 the first 64 bits; default: the one that it came from last, or comes from next."`
	Off     bool       `help:"Unlock it."`
}

func (v *accountLock) Run(ctx context.Context, env *flags.Environment) error {
	return accounts(ctx, &v.Selection, true, func(all *account.Accounts) error {
		if v.Off {
			return say(env, all.Unlock(ctx, v.Name), "%s is let in from everywhere\n", v.Name)
		}
		a, err := all.Lock(ctx, v.Name, v.Address)
		if err == nil && a.LastAddress == "" {
			return say(env, nil, "%s is locked to the address that it comes from next\n", v.Name)
		}
		return say(env, err, "%s is locked to %s\n", v.Name, a.LastAddress)
	})
}

type accountDelete struct {
	realmstore.Selection
	Name string `arg:""`
}

func (v *accountDelete) Run(ctx context.Context, env *flags.Environment) error {
	return accounts(ctx, &v.Selection, true, func(all *account.Accounts) error {
		return say(env, all.Delete(ctx, v.Name), "%s is deleted\n", v.Name)
	})
}

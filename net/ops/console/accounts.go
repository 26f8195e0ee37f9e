package console

import (
	"context"
	"errors"
	"fmt"
	"time"

	"muster/net/gateway"
	"muster/net/protocol/command"
)

// Accounts manages accounts. Names and passwords are as they were typed: it brings them into the form in which they
// are stored. Its errors are shown as they are.
type Accounts interface {
	Create(ctx context.Context, name, password string) error
	Delete(ctx context.Context, name string) error
	SetPassword(ctx context.Context, name, password string) error
	SetLevel(ctx context.Context, name string, level uint8) error
	// Level is what level an account has.
	Level(ctx context.Context, name string) (uint8, error)
	// Ban keeps an account out until a time, for ever with the zero one, and returns its number.
	Ban(ctx context.Context, name string, until time.Time, reason string) (account uint32, err error)
	Unban(ctx context.Context, name string) error
}

// errNoAccounts is the answer without Accounts.
const errNoAccounts Refusal = "Accounts are not available here."

// account shows the caller's level.
func (c *Console) account(_ context.Context, a *call) ([]string, error) {
	if err := a.args.End(); err != nil {
		return nil, err
	}
	return []string{fmt.Sprintf("Your account level is: %d", a.by.Level)}, nil
}

// keep changes the account of a name; its arguments contain the password.
func (c *Console) keep(a *call, do func(name string) error, done string) ([]string, error) {
	name := a.args.Word()
	if name == "" {
		return nil, command.ErrSyntax
	}
	if c.Accounts == nil {
		return nil, errNoAccounts
	}
	if err := do(name); err != nil {
		return nil, err
	}
	return []string{fmt.Sprintf(done, name)}, nil
}

func (c *Console) accountCreate(ctx context.Context, a *call) ([]string, error) {
	return c.keep(a, func(name string) error {
		password := a.args.Word()
		if a.args.Len() > 0 {
			a.args.Word() // an e-mail address, which is unused here
		}
		if err := a.args.End(); err != nil {
			return err
		}
		return c.Accounts.Create(ctx, name, password)
	}, "Account created: %s")
}

func (c *Console) accountDelete(ctx context.Context, a *call) ([]string, error) {
	return c.keep(a, func(name string) error {
		if err := a.args.End(); err != nil {
			return err
		}
		return c.Accounts.Delete(ctx, name)
	}, "Account deleted: %s")
}

func (c *Console) accountPassword(ctx context.Context, a *call) ([]string, error) {
	return c.keep(a, func(name string) error {
		password, again := a.args.Word(), a.args.Word()
		if err := a.args.End(); err != nil {
			return err
		}
		if password != again {
			return Refusal("The passwords are not the same.")
		}
		return c.Accounts.SetPassword(ctx, name, password)
	}, "The password of %s is changed.")
}

// accountLevel gives an account a level. That of which realm it is does not matter: there is one.
func (c *Console) accountLevel(ctx context.Context, a *call) ([]string, error) {
	return c.keep(a, func(name string) error {
		level := uint8(a.args.Int(int64(command.Player), int64(command.Administrator)))
		if a.args.Len() > 0 {
			a.args.Int(-1, 255)
		}
		if err := a.args.End(); err != nil {
			return err
		}
		return c.Accounts.SetLevel(ctx, name, level)
	}, "%s has another level from its next login on.")
}

// errRank is the answer to a command about an account of a higher level than the caller's.
const errRank Refusal = "Your security level is too low for that account."

// outranks refuses to let a caller act on an account of a higher level. The console has the highest.
//
// Source: ChatHandler::HasLowerSecurityAccount, AzerothCore, as it is with GM.LowerSecurity.
func (c *Console) outranks(ctx context.Context, by gateway.Caller, name string) error {
	switch level, err := c.Accounts.Level(ctx, name); {
	case err != nil:
		return err
	case level > by.Level:
		return errRank
	}
	return nil
}

// banAccount bans an account of no higher level than the caller's.
func (c *Console) banAccount(ctx context.Context, a *call) ([]string, error) {
	return c.keep(a, func(name string) error {
		d, forever, ok := command.Term(a.args.Word())
		reason := a.args.Rest()
		if err := a.args.End(); err != nil || !ok || reason == "" {
			return command.ErrSyntax
		}
		var until time.Time
		if !forever {
			until = time.Now().Add(d)
		}
		if err := c.outranks(ctx, a.by, name); err != nil {
			return err
		}
		account, err := c.Accounts.Ban(ctx, name, until, reason)
		if err == nil {
			c.Realm.KickAccount(account)
		}
		return err
	}, "%s is banned.")
}

func (c *Console) unbanAccount(ctx context.Context, a *call) ([]string, error) {
	return c.keep(a, func(name string) error {
		if err := a.args.End(); err != nil {
			return err
		}
		return c.Accounts.Unban(ctx, name)
	}, "%s is not banned any more.")
}

// maxListed bounds the list of players online.
const maxListed = 200

func (c *Console) onlineList(_ context.Context, a *call) ([]string, error) {
	if err := a.args.End(); err != nil {
		return nil, err
	}
	all := c.Realm.OnlinePlayers()
	said := []string{fmt.Sprintf("%d accounts are in a world.", len(all))}
	for i, player := range all {
		if i == maxListed {
			said = append(said, "…")
			break
		}
		said = append(said, line(&player))
	}
	return said, nil
}

func line(player *gateway.OnlinePlayer) string {
	return fmt.Sprintf("account %d, %s, level %d, map %d, from %s", player.Account, player.Name, player.Level, player.Map, player.From)
}

// IsRefusal reports whether an error of Run is an answer for the caller, not a failure.
func IsRefusal(err error) bool {
	var r Refusal
	return errors.As(err, &r)
}

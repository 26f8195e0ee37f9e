package control

import (
	"context"
	"errors"
	"time"

	"muster/loaders/store"
	"muster/net/login/account"
	"muster/net/protocol/crypt"
)

// A NewAccount is the account to create.
type NewAccount struct {
	Name     string `json:"name" doc:"from 1 to 16 letters and digits, in any case"`
	Password string `json:"password" doc:"from 1 to 16 bytes"`
	Level    uint8  `json:"level,omitempty" doc:"security level: 0 player, 1 moderator, 2 game master, 3 administrator"`
}

// An Account is one that was created.
type Account struct {
	ID    uint32 `json:"id"`
	Name  string `json:"name" doc:"as it is stored, in upper case"`
	Level uint8  `json:"level"`
}

func (c *Control) createAccount(ctx context.Context, q *NewAccount) (a Account, err error) {
	made, err := c.config.Accounts.CreateAs(ctx, q.Name, q.Password, q.Level, account.MaxExpansion)
	return Account{made.ID, made.Name, made.Level}, err
}

// An AccountName names an account.
type AccountName struct {
	Account string `json:"account" in:"path" doc:"its name"`
}

// find is the account of a name.
func (c *Control) find(ctx context.Context, name string) (store.Account, error) {
	a, err := c.config.Store.Account(ctx, crypt.Upper(name))
	if errors.Is(err, store.ErrNotFound) {
		err = account.ErrUnknown
	}
	return a, err
}

func (c *Control) deleteAccount(ctx context.Context, q *AccountName) (n Nothing, err error) {
	a, err := c.find(ctx, q.Account)
	if err != nil {
		return n, err
	}
	if err = c.config.Accounts.Delete(ctx, q.Account); err == nil {
		c.config.Gate.KickAccount(a.ID)
	}
	return n, err
}

// A Password is another password of an account.
type Password struct {
	Account  string `json:"account" in:"path" doc:"its name"`
	Password string `json:"password" doc:"from 1 to 16 bytes"`
}

func (c *Control) setPassword(ctx context.Context, q *Password) (n Nothing, err error) {
	return n, c.config.Accounts.SetPassword(ctx, q.Account, q.Password)
}

// An AccountLevel is another level of an account.
type AccountLevel struct {
	Account string `json:"account" in:"path" doc:"its name"`
	Level   uint8  `json:"level" doc:"0 player, 1 moderator, 2 game master, 3 administrator"`
}

func (c *Control) setLevel(ctx context.Context, q *AccountLevel) (n Nothing, err error) {
	return n, c.config.Accounts.SetLevel(ctx, q.Account, q.Level)
}

// A Ban keeps an account out.
type Ban struct {
	Account string `json:"account" in:"path" doc:"its name"`
	Seconds uint32 `json:"seconds,omitempty" doc:"how long it lasts; without it, for ever"`
	Reason  string `json:"reason" doc:"at most 255 bytes"`
}

func (c *Control) ban(ctx context.Context, q *Ban) (n Nothing, err error) {
	var until time.Time
	if q.Seconds > 0 {
		until = time.Now().Add(time.Duration(q.Seconds) * time.Second)
	}
	id, err := c.config.Accounts.Ban(ctx, q.Account, until, q.Reason)
	if err == nil {
		c.config.Gate.KickAccount(id)
	}
	return n, err
}

func (c *Control) unban(ctx context.Context, q *AccountName) (n Nothing, err error) {
	return n, c.config.Accounts.Unban(ctx, q.Account)
}

package realm

import (
	"fmt"
	"io"

	"muster/cmd/internal/flags"
	"muster/cmd/internal/release"
	"muster/cmd/internal/worldspec"
	"muster/components/defs"
)

// welcome prints how to connect, for an operator at a terminal.
func (v *Config) welcome(w io.Writer, world *defs.World, at Open) error {
	spawns := 0
	maps := worldspec.FixedMaps(world)
	for _, m := range maps {
		spawns += len(m.Spawns)
	}
	login := "at muster login, which also has the accounts"
	if at.Logins.IsValid() {
		host := at.Logins.Addr().String()
		if at.Logins.Addr().IsUnspecified() {
			host = "HOST, at which they reach it"
		}
		login = fmt.Sprintf("%s, for 3.3.5a clients: set realmlist %s", at.Logins, host)
	}
	text := fmt.Sprintf(`muster %s

  world     %d maps, %s creatures, seed %d
  login     %s
  players   %s, as realm %q
  admin     http://%s/
  kept in   %s
`, release.Name(), len(maps), flags.Thousands(spawns), world.Seed, login, at.World, v.RealmName, at.Admin, v.Place())
	if at.Logins.IsValid() {
		text += v.welcomeAccounts(at)
	} else {
		text += "\n"
	}
	_, err := io.WriteString(w, text+"Ctrl-C ends it.\n")
	return err
}

// welcomeAccounts is which accounts may log in, and how to try that.
func (v *Config) welcomeAccounts(at Open) string {
	v.changing.Lock()
	password, _ := v.OpenPassword() // which was checked at the start
	v.changing.Unlock()
	if password == "" {
		return `  accounts  those that muster account create makes: open accounts are off (see --open-accounts)

`
	}
	return fmt.Sprintf(`  accounts  any name, password %q: an account is made on its first login

In a second terminal, let a thousand clients in:

  bin/muster swarm --auth %s --accounts SWARM --password %s --clients 1000 --behaviour walk --duration 20s

`, password, at.Logins, password)
}

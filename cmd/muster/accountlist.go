package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"text/tabwriter"
	"time"

	"muster/cmd/internal/flags"
	"muster/cmd/internal/realmstore"
	"muster/loaders/store"
)

type accountList struct {
	realmstore.Selection
	JSON bool `name:"json" help:"As JSON, an object a line."`
}

// A listed account is what its owner may show: no salt, and no verifier.
type listed struct {
	ID           uint32 `json:"id"`
	Name         string `json:"name"`
	Level        uint8  `json:"level"`
	Expansion    uint8  `json:"expansion"`
	Banned       string `json:"banned,omitempty"` // until when, RFC 3339, or ever; "" if it is not
	BanReason    string `json:"ban_reason,omitempty"`
	Locked       bool   `json:"locked"`
	FailedLogins uint32 `json:"failed_logins"`
	LastAddress  string `json:"last_address,omitempty"`
}

func listedOf(a *store.Account, now time.Time) listed {
	l := listed{
		ID: a.ID, Name: a.Name, Level: a.Level, Expansion: a.Expansion, Locked: a.Locked,
		FailedLogins: a.FailedLogins, LastAddress: a.LastAddress,
	}
	if a.Banned(now.Unix()) {
		l.BanReason = a.BanReason
		if l.Banned = "ever"; a.BanEndUnix != math.MaxInt64 {
			l.Banned = time.Unix(a.BanEndUnix, 0).UTC().Format(time.RFC3339)
		}
	}
	return l
}

// Run lists page by page: however many there are, it holds one page at a time.
func (v *accountList) Run(ctx context.Context, env *flags.Environment) error {
	show, flush := table(env.Stdout)
	if v.JSON {
		lines := json.NewEncoder(env.Stdout)
		show, flush = func(l listed) error { return lines.Encode(l) }, func() error { return nil }
	}
	now := time.Now()
	err := v.With(ctx, true, func(s store.Store) error {
		for after := ""; ; {
			page, err := s.Accounts(ctx, after, store.MaxPage)
			if err != nil || len(page) == 0 {
				return err
			}
			for i := range page {
				if err := show(listedOf(&page[i], now)); err != nil {
					return err
				}
			}
			after = page[len(page)-1].Name
		}
	})
	if err != nil {
		return err
	}
	return flush()
}

// table shows accounts in columns.
func table(w io.Writer) (show func(listed) error, flush func() error) {
	columns := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(columns, "ID\tNAME\tLEVEL\tEXPANSION\tLOCKED\tFAILED\tLAST ADDRESS\tBANNED UNTIL\tREASON")
	yes := map[bool]string{true: "yes", false: "no"}
	return func(l listed) error {
		_, err := fmt.Fprintf(columns, "%d\t%s\t%d\t%d\t%s\t%d\t%s\t%s\t%s\n", l.ID, shownText(l.Name), l.Level, l.Expansion,
			yes[l.Locked], l.FailedLogins, orNone(l.LastAddress), orNone(l.Banned), orNone(shownText(l.BanReason)))
		return err
	}, columns.Flush
}

func orNone(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// shownText is a text without what a terminal would obey.
func shownText(text string) string {
	quoted := fmt.Sprintf("%q", text)
	return quoted[1 : len(quoted)-1]
}

package portable

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"

	"muster/loaders/store"
)

// A line is a line of a dump: its head, its end, or a record.
type line struct {
	Muster  string `json:"muster,omitempty"`
	Version int    `json:"version,omitempty"`

	Counters  *store.Counters  `json:"counters,omitempty"`
	Realm     *store.Realm     `json:"realm,omitempty"`
	Account   *account         `json:"account,omitempty"`
	Character *store.Character `json:"character,omitempty"`
	Data      *store.OwnedData `json:"data,omitempty"`

	End *end `json:"end,omitempty"`
}

type end struct {
	Records int    `json:"records"`
	Sum     digits `json:"sha256"`
}

// account is a store.Proven with its bytes in hexadecimal. Key is left out if there is none.
type account struct {
	store.Account
	Salt     digits
	Verifier digits
	Key      digits `json:",omitempty"`
}

// digits is bytes in hexadecimal.
type digits []byte

// MarshalText implements encoding.TextMarshaler.
func (h digits) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, h), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (h *digits) UnmarshalText(text []byte) (err error) {
	*h, err = hex.AppendDecode(nil, text)
	return err
}

func lineOf(r store.Record) line {
	l := line{Counters: r.Counters, Realm: r.Realm, Character: r.Character, Data: r.Data}
	if a := r.Account; a != nil {
		l.Account = &account{Account: a.Account, Salt: a.Salt[:], Verifier: a.Verifier[:]}
		if a.HasKey {
			l.Account.Key = a.Key[:]
		}
	}
	return l
}

// record returns a line as a record, which is empty if the line has none.
func (l *line) record() (store.Record, error) {
	r := store.Record{Counters: l.Counters, Realm: l.Realm, Character: l.Character, Data: l.Data}
	a := l.Account
	if a == nil {
		return r, nil
	}
	p := &store.Proven{Account: a.Account, HasKey: a.Key != nil}
	fits := fill(p.Salt[:], a.Salt) && fill(p.Verifier[:], a.Verifier) && (!p.HasKey || fill(p.Key[:], a.Key))
	if !fits {
		return r, fmt.Errorf("%w: account %d has bytes of another length", ErrFormat, a.ID)
	}
	r.Account = p
	return r, nil
}

func fill(to []byte, from digits) bool { return copy(to, from) == len(to) && len(from) == len(to) }

func parse(b []byte) (l line, err error) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&l); err != nil {
		return l, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	if _, err := d.Token(); err != io.EOF {
		return l, ErrFormat
	}
	return l, nil
}

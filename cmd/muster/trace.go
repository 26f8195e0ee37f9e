package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"muster/cmd/internal/flags"
	"muster/net/protocol/trace"
)

type traceVerb struct {
	Session           string        `placeholder:"NAME|ID" help:"All sessions of an account or a character, those to come among them, or the one of a number, as the log and /api/sessions have it; name:123 is a name. Of a file, default all."`
	Admin             flags.Address `default:"127.0.0.1:8086" placeholder:"ADDR" help:"Where the server listens for operators (${default})."`
	From              string        `placeholder:"PATH" help:"Read a pcapng that was written here, or run the recording in a folder, in place of asking a server."`
	WorldDB           string        `name:"world-db" placeholder:"FILE|URL" help:"The imported world that it was recorded with, as of serve."`
	Format            string        `default:"text" enum:"text,json,pcapng" placeholder:"KIND" help:"Write text, lines of JSON, or pcapng: text, json or pcapng (${default})."`
	Out               string        `placeholder:"FILE" help:"Write to a file."`
	For               time.Duration `placeholder:"D" help:"Stop after a time."`
	flags.TokenSource `embed:""`
}

// Help is printed below the flags' own.
func (*traceVerb) Help() string {
	return `A name is followed from CMSG_AUTH_SESSION on if it is that of an account, and from its entry on if it is that of a character;
a session that is there already from now on. Passwords are stars. A recording has what its worlds read and sent: no logins,
no character screen, and no answers that need no world. Ctrl-C ends it.`
}

// Validate refuses what cannot be followed.
func (v *traceVerb) Validate() error {
	switch {
	case v.Session == "" && v.From == "":
		return errors.New("--session or --from says what to follow")
	case v.For < 0:
		return fmt.Errorf("--for is not negative, as in %v", v.For)
	}
	return nil
}

// Run writes packets until there are no more, or ctx ends.
func (v *traceVerb) Run(ctx context.Context, env *flags.Environment) (err error) {
	if v.For > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, v.For)
		defer cancel()
	}
	to := env.Stdout
	if v.Out != "" {
		f, err := os.Create(v.Out)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		to = f
	}
	w := trace.NewWriter(v.Format, to)
	if v.From == "" {
		err = v.follow(ctx, w)
	} else if i, failed := os.Stat(v.From); failed != nil {
		return failed
	} else if i.IsDir() {
		err = v.run(ctx, w)
	} else {
		err = v.read(w)
	}
	if ctx.Err() != nil { // it was to end
		return nil
	}
	return err
}

// follow asks a server.
func (v *traceVerb) follow(ctx context.Context, w trace.Writer) error {
	token, err := v.Token()
	if err != nil {
		return err
	}
	at := "http://" + v.Admin.String() + "/api/sessions/" + url.PathEscape(v.Session) + "/trace?format=" + trace.Pcapng
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, at, nil)
	if err != nil {
		return err
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		why, _ := io.ReadAll(io.LimitReader(answer.Body, 200))
		return fmt.Errorf("%s: %s: %s", at, answer.Status, strings.TrimSpace(string(why)))
	}
	return v.copy(answer.Body, w, func(*trace.Packet) bool { return true })
}

// read reads a pcapng.
func (v *traceVerb) read(w trace.Writer) error {
	f, err := os.Open(v.From)
	if err != nil {
		return err
	}
	defer f.Close()
	return v.copy(bufio.NewReader(f), w, func(p *trace.Packet) bool { return v.means(p.Session, p.Account) })
}

// means reports whether a session is the one that is to be followed.
func (v *traceVerb) means(session uint64, names ...string) bool {
	if id, err := strconv.ParseUint(v.Session, 10, 64); err == nil && id > 0 {
		return id == session
	}
	for _, name := range names {
		if strings.EqualFold(name, strings.TrimPrefix(v.Session, "name:")) {
			return true
		}
	}
	return v.Session == ""
}

// copy writes the packets of a pcapng that are wanted.
func (v *traceVerb) copy(from io.Reader, w trace.Writer, wanted func(*trace.Packet) bool) error {
	for r := trace.NewReader(from); ; {
		p, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if !wanted(p) {
			continue
		}
		if err := w.Write(p); err != nil {
			return err
		}
	}
}

// Package sessiontrace writes the packets of sessions: as a server sends and receives them, or as a file or a recording has them.
package sessiontrace

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

	"muster/cmd/internal/adminclient"
	"muster/cmd/internal/flags"
	"muster/net/protocol/trace"
)

// A Config is which sessions are followed, and where their packets are written. Its tags say how that is spelled on a command line.
type Config struct {
	Session           string        `placeholder:"NAME|ID" help:"All sessions of an account or a character, those to come among them, or the one of a number, as the log and /api/sessions have it; name:123 is a name. Of a file, default all."`
	Admin             flags.Address `default:"127.0.0.1:8086" placeholder:"ADDR" help:"Where the server listens for operators (${default})."`
	From              string        `placeholder:"PATH" help:"Read a pcapng that was written here, or run the recording in a folder, in place of asking a server."`
	DBC               string        `name:"dbc" placeholder:"DIR" help:"As of serve, if the world was served with it."`
	WorldDB           string        `name:"world-db" placeholder:"FILE|URL" help:"The imported world that it was recorded with, as of serve."`
	Format            string        `default:"text" enum:"text,json,pcapng" placeholder:"KIND" help:"Write text, lines of JSON, or pcapng: text, json or pcapng (${default})."`
	Out               string        `placeholder:"FILE" help:"Write to a file."`
	For               time.Duration `placeholder:"D" help:"Stop after a time."`
	flags.TokenSource `embed:""`
}

// Check refuses what cannot be followed.
func (v *Config) Check() error {
	switch {
	case v.Session == "" && v.From == "":
		return errors.New("--session or --from says what to follow")
	case v.For < 0:
		return fmt.Errorf("--for is not negative, as in %v", v.For)
	}
	return nil
}

// Run writes packets until there are no more, or ctx ends.
func Run(ctx context.Context, v *Config, env *flags.Environment) (err error) {
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
func (v *Config) follow(ctx context.Context, w trace.Writer) error {
	token, err := v.Token()
	if err != nil {
		return err
	}
	server := adminclient.Client{Base: "http://" + v.Admin.String(), Token: token, HTTP: http.DefaultClient}
	answer, err := server.Open(ctx, "/api/sessions/"+url.PathEscape(v.Session)+"/trace?format="+trace.Pcapng)
	if err != nil {
		return err
	}
	defer answer.Close()
	return v.copy(answer, w, func(*trace.Packet) bool { return true })
}

// read reads a pcapng.
func (v *Config) read(w trace.Writer) error {
	f, err := os.Open(v.From)
	if err != nil {
		return err
	}
	defer f.Close()
	return v.copy(bufio.NewReader(f), w, func(p *trace.Packet) bool { return v.means(p.Session, p.Account) })
}

// means reports whether a session is the one that is to be followed.
func (v *Config) means(session uint64, names ...string) bool {
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
func (v *Config) copy(from io.Reader, w trace.Writer, wanted func(*trace.Packet) bool) error {
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

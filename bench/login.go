package bench

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"muster/loaders/store"
	"muster/loaders/store/sqlite"
	"muster/net/protocol/crypt"
)

const (
	// storedAccounts is how many accounts there are, with a character each.
	storedAccounts = 10_000
	// callers is how many log in at a time.
	callers = 128
	// loginMicros is what a login may cost a core, without arithmetic: 2,000 in a second.
	loginMicros = 500
)

// login measures what a login costs a server, from the challenge to the list of characters.
func loginScenario(ctx context.Context, c *Config, s *sheet) (text string, repetitions int, err error) {
	logins, repetitions := storedAccounts, 5
	if c.Quick {
		logins, repetitions = 1_000, 1
	}
	dir, err := os.MkdirTemp("", "muster-bench")
	if err != nil {
		return "", 0, err
	}
	defer os.RemoveAll(dir)
	if err := storeAccounts(ctx, dir); err != nil {
		return "", 0, err
	}
	server, said, err := start(ctx, c.Muster, serveReady, "serve", "--data", dir, "--creatures", "0",
		"--auth", "127.0.0.1:0", "--world", "127.0.0.1:0", "--admin", "127.0.0.1:0")
	if err != nil {
		return "", 0, err
	}
	defer func() { err = errors.Join(err, server.stop()) }()
	if err := callAll(ctx, said[0], min(logins, 500)); err != nil { // until every statement is prepared
		return "", 0, err
	}
	for range repetitions {
		arithmetic, err := srpCost()
		if err != nil {
			return "", 0, err
		}
		before, err := server.cpu()
		if err != nil {
			return "", 0, err
		}
		began := time.Now()
		if err := callAll(ctx, said[0], logins); err != nil {
			return "", 0, err
		}
		took := time.Since(began)
		after, err := server.cpu()
		if err != nil {
			return "", 0, err
		}
		cost := micros(after-before) / float64(logins)
		s.put("processor time of a login, without SRP", "µs", cost-arithmetic).
			beside("SRP arithmetic of the server", arithmetic).atMost(loginMicros, OfMedian)
		s.put("logins of a core, without SRP", "per second", 1e6/(cost-arithmetic))
		s.put("logins of a core, all in all", "per second", 1e6/cost)
		s.put("logins, clients on the same machine", "per second", float64(logins)/took.Seconds())
	}
	return fmt.Sprintf("%d clients at a time log in to `muster serve --data`, which has %s accounts with a character each in "+
		"SQLite: challenge, proof, list of realms, session and list of characters, over two connections each. Processor time is "+
		"that of the server's process, user and system. SRP arithmetic is what `net/protocol/crypt` takes for one exchange on this "+
		"machine, three exponentiations.", callers, number(storedAccounts)), repetitions, nil
}

func accountName(i int) string { return fmt.Sprint("CALLER", i) }

const accountPassword = "secret"

// storeAccounts fills a folder.
func storeAccounts(ctx context.Context, dir string) error {
	s, err := sqlite.Open(ctx, sqlite.Config{Dir: dir})
	if err != nil {
		return err
	}
	return errors.Join(s.Import(ctx, accountRecords(storedAccounts)), s.Close())
}

// accountRecords are accounts with a character each. All have been here before, and have the salt 0, so that their verifiers are soon made.
func accountRecords(accounts int) func() (store.Record, error) {
	n := 0
	return func() (store.Record, error) {
		i := n / 2
		n++
		switch {
		case i == accounts:
			return store.Record{}, io.EOF
		case n%2 == 0:
			return store.Record{Character: &store.Character{
				GUID: uint64(i + 1), Account: uint32(i + 1), Name: letters(i), Race: 1, Class: 1, Level: 1, Version: 1,
			}}, nil
		}
		a := store.Account{ID: uint32(i + 1), Name: accountName(i), Expansion: 2, LastAddress: "127.0.0.1"}
		a.Verifier = crypt.Verifier(a.Name, accountPassword, a.Salt)
		return store.Record{Account: &store.Proven{Account: a}}, nil
	}
}

// letters is another name for each i below 26^4.
func letters(i int) string {
	name := []byte("Aaaaa")
	for n := 4; n > 0; n-- {
		name[n] += byte(i % 26)
		i /= 26
	}
	return string(name)
}

// callAll logs the first so many accounts in.
func callAll(ctx context.Context, auth string, logins int) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var all sync.WaitGroup
	for range callers {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < logins && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				n, err := call(ctx, auth, accountName(i), accountPassword)
				if err == nil && n != 1 {
					err = fmt.Errorf("%s has %d characters, want 1", accountName(i), n)
				}
				if err != nil {
					cancel(err)
				}
			}
		})
	}
	all.Wait()
	return context.Cause(ctx)
}

// srpCost is the processor time that the server's half of an exchange takes, in microseconds.
func srpCost() (float64, error) {
	const times = 500
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	client, err := crypt.NewClient(rand.Reader, "A", "A")
	if err != nil {
		return 0, err
	}
	verifier := crypt.Verifier("A", "A", [32]byte{})
	var spent time.Duration
	for range times {
		began := threadTime()
		exchange, err := crypt.NewServer(rand.Reader, "A", [32]byte{}, verifier)
		spent += threadTime() - began
		if err != nil {
			return 0, err
		}
		A, M1, _, _, err := client.Answer(exchange.Public(), [32]byte{})
		if err != nil {
			return 0, err
		}
		began = threadTime()
		_, _, ok := exchange.Proof(A, M1)
		spent += threadTime() - began
		if !ok {
			return 0, errors.New("an exchange that fails")
		}
	}
	return micros(spent) / times, nil
}

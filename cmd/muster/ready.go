package main

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"muster/cmd/internal/adminclient"
	"muster/cmd/internal/flags"
)

type readyVerb struct {
	Admin             flags.AdminURL `default:"127.0.0.1:8086" placeholder:"ADDR" help:"Where the process listens for operators: HOST:PORT, :PORT or http://HOST:PORT/ (${default})."`
	Within            time.Duration  `default:"5s" placeholder:"D" help:"It is not ready if it has not answered by then (${default})."`
	flags.TokenSource `embed:""`
}

// Help is printed below the flags' own.
func (*readyVerb) Help() string {
	return `It asks once, for /readyz, and ends with exit code 1 if the process does not answer, or says what it waits for: for engines of containers, which look so whether a container is healthy.`
}

// Validate refuses to wait for no time.
func (v *readyVerb) Validate() error {
	if v.Within <= 0 {
		return fmt.Errorf("--within is more than 0, not %v", v.Within)
	}
	return nil
}

// Run asks whether a process is ready.
func (v *readyVerb) Run(ctx context.Context, env *flags.Environment) error {
	token, err := v.Token()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, v.Within)
	defer cancel()
	client := http.Client{}
	defer client.CloseIdleConnections()
	server := adminclient.Client{Base: v.Admin.Base, Token: token, HTTP: &client}
	answer, err := server.Open(ctx, "/readyz")
	if err != nil {
		return err
	}
	if err := answer.Close(); err != nil {
		return err
	}
	_, err = fmt.Fprintln(env.Stdout, "ready")
	return err
}

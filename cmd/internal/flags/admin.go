package flags

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"muster/net/ops/admin"
)

// An TokenSource is what operators name over HTTP.
type TokenSource struct {
	AdminToken     string `placeholder:"TOKEN" help:"A token of 16 bytes or more that operators must name, as they must on another address than loopback. Others on this machine see it: better in the environment, or in a file."`
	AdminTokenFile string `placeholder:"FILE" help:"Take it from the first line of a file."`
}

// An AdminAccess is the settings of the HTTP server for operators.
type AdminAccess struct {
	TokenSource

	CompatTC9Metrics bool `name:"compat-tc9-metrics" help:"Export the six gauges of ToCloud9 as well, for dashboards that need them."`
}

// Token is what operators are asked for, "" for nothing.
func (f *TokenSource) Token() (string, error) {
	if f.AdminTokenFile == "" {
		return f.AdminToken, nil
	}
	text, err := os.ReadFile(f.AdminTokenFile)
	if err != nil {
		return "", fmt.Errorf("--admin-token-file: %w", err)
	}
	line, _, _ := strings.Cut(string(text), "\n")
	if line = strings.TrimSpace(line); line == "" {
		return "", fmt.Errorf("--admin-token-file: the first line of %s is empty", f.AdminTokenFile)
	}
	return line, nil
}

// Check refuses what cannot be meant. The file is read when it is used.
func (f *AdminAccess) Check(loopback bool) error {
	switch {
	case f.AdminToken != "" && f.AdminTokenFile != "":
		return errors.New("--admin-token and --admin-token-file name a token each: give one of them")
	case f.AdminToken != "" && len(f.AdminToken) < admin.MinToken:
		return fmt.Errorf("--admin-token has at least %d bytes, not %d", admin.MinToken, len(f.AdminToken))
	case !loopback && f.AdminToken == "" && f.AdminTokenFile == "":
		return errors.New("--admin on another address than loopback needs --admin-token or --admin-token-file")
	}
	return nil
}

package loginpolicy

import (
	"errors"
	"fmt"
)

// DefaultPassword is that of open accounts on loopback, and of a swarm.
const DefaultPassword = "muster"

// maxPassword is the longest password that clients send. Source: MAX_PASSWORD_STR, AzerothCore.
const maxPassword = 16

// OpenPassword is the password of open accounts, empty for none: the given one, or else the default one if only this host reaches the server, or
// if it may be used anywhere.
func OpenPassword(given *string, anywhere, loopback bool) (string, error) {
	switch {
	case given == nil && (loopback || anywhere):
		return DefaultPassword, nil
	case given == nil || *given == "":
		return "", nil
	case !loopback && !anywhere:
		return "", errors.New("--open-accounts on another address than loopback lets anyone in: " +
			"it needs --open-accounts-anywhere as well")
	case len(*given) > maxPassword:
		return "", fmt.Errorf("--open-accounts: a password has at most %d bytes", maxPassword)
	}
	return *given, nil
}

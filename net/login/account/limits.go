package account

import "muster/internal/limit"

// Counted bans.
const (
	lockout        = "auth.lockout"
	addressLockout = "auth.address_lockout"
)

// Limits lists what a guard bounds.
func Limits() []limit.Limit {
	c := GuardConfig{}.withDefaults()
	return []limit.Limit{
		{Name: "wrong passwords in a row for an account", Value: c.MaxCount, Setting: "wrong-pass.max-count", Breach: "banned for " + c.BanTime.String(), Counter: lockout, Test: "net/login/account TestLockout"},
		{Name: "wrong passwords from an address in that time", Value: c.MaxCount, Setting: "wrong-pass.max-count", Breach: "barred for as long", Counter: addressLockout, Test: "net/login/account TestDistributed"},
		{Name: "addresses that are remembered", Value: maxPlaces, Breach: "the first gives way", Test: "net/login/account TestPlacesAreBounded"},
	}
}

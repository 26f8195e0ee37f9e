package cluster

import (
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"

	"muster/cmd/internal/process"
)

// divideProcessors has this process and its children, which inherit it, each use so many processors as there are for each worker and gateway,
// of those that this process may use, which a container may have fewer of than its machine, unless GOMAXPROCS says otherwise: an idle thread that looks for work in each of nine processes is work that the others do not get done.
func (v *Config) divideProcessors() (restore func()) {
	if os.Getenv(processors) != "" {
		return func() {}
	}
	workers := v.Workers
	if workers == 0 {
		workers = 3
	}
	before := runtime.GOMAXPROCS(0)
	if v.Database == "" { // else they are among the workers
		workers *= 1 + v.Standbys
	}
	share := max(1, before/(workers+v.Gateways))
	os.Setenv(processors, strconv.Itoa(share))
	runtime.GOMAXPROCS(share)
	return func() {
		os.Unsetenv(processors)
		runtime.GOMAXPROCS(before)
	}
}

// processors is what the runtime of Go reads.
const processors = "GOMAXPROCS"

// keepWorlds starts a worker whose worlds go on when it ends, and its standbys.
func (v *Config) keepWorlds(c *process.Children, i int, args []string) error {
	args = append(args, v.durable()...)
	if err := c.Keep(fmt.Sprintf("worker %d", i+1), args); err != nil {
		return err
	}
	for n := range v.Standbys {
		name := fmt.Sprintf("standby %d", i+1)
		if n > 0 {
			name = fmt.Sprintf("standby %d.%d", i+1, n+1)
		}
		if err := c.Keep(name, append(slices.Clone(args), "--standby")); err != nil {
			return err
		}
	}
	return nil
}

// durable are the flags of workers that keep their worlds.
func (v *Config) durable() []string {
	return []string{"--durable", "world", "--snapshot-every", v.SnapshotEvery.String(), "--replicas", strconv.Itoa(max(v.Replicas, 1))}
}

// world are the flags that workers and gateways must agree on.
func (v *Config) world() []string {
	args := []string{
		"--seed", strconv.FormatUint(v.Seed, 10), "--creatures", strconv.Itoa(v.Creatures), "--start", v.Start,
		"--tick", v.Tick.String(), "--phases", strconv.Itoa(v.Phases), "--cpu-budget", strconv.FormatFloat(v.CPUBudget, 'g', -1, 64),
		"--log-level", "info", "--log-format", "text", // in which they are found to be ready
	}
	if v.WorldDB != "" {
		args = append(args, "--world-db", v.WorldDB)
	}
	if v.DBC != "" {
		args = append(args, "--dbc", v.DBC)
	}
	return args
}

// rules are the flags of what only those who step worlds decide.
func (v *Config) rules() []string {
	return []string{
		"--death-reclaim", v.DeathReclaim, "--rate-xp", strconv.FormatFloat(float64(v.RateXP), 'g', -1, 32), "--strikes", strconv.FormatUint(uint64(v.Strikes), 10),
	}
}

// A listening is where a gateway listens.
type listening struct{ auth, world, admin netip.AddrPort }

func (l *listening) flags() []string {
	return []string{"--auth", l.auth.String(), "--world", l.world.String(), "--admin", l.admin.String()}
}

// gateways are where each gateway listens: the first as the flags say, the others at the next ports that no gateway has. Port 0 is
// one that is free.
func (v *Config) gateways() (all []listening) {
	taken := map[uint16]bool{v.Auth.Port(): true, v.World.Port(): true, v.Admin.Port(): true}
	next := func(after netip.AddrPort) netip.AddrPort {
		port := after.Port()
		for port != 0 && taken[port] {
			port++
		}
		taken[port] = true
		return netip.AddrPortFrom(after.Addr(), port)
	}
	all = []listening{{v.Auth.AddrPort, v.World.AddrPort, v.Admin.AddrPort}}
	for range v.Gateways - 1 {
		all = append(all, listening{next(v.Auth.AddrPort), next(v.World.AddrPort), next(v.Admin.AddrPort)})
	}
	return all
}

// dataOf is the folder of the i-th gateway, from 0: each has a journal of its own.
func (v *Config) dataOf(i int) string {
	if i == 0 || v.Data == "" {
		return v.Data
	}
	return filepath.Join(v.Data, fmt.Sprintf("gateway-%d", i+1))
}

// accounts are the flags of accounts, and of where the i-th gateway keeps them.
func (v *Config) accounts(i int) (args []string) {
	args = append(args, "--open-level", strconv.Itoa(int(v.OpenLevel)))
	if v.OpenAccounts != nil {
		args = append(args, "--open-accounts", *v.OpenAccounts)
	}
	if v.Ephemeral {
		args = append(args, "--ephemeral")
	}
	return append(args, v.kept(i)...)
}

// kept are the flags of where the i-th gateway keeps accounts, and its journal.
func (v *Config) kept(i int) (args []string) {
	for flag, value := range map[string]string{"--data": v.dataOf(i), "--database": v.Database} {
		if value != "" {
			args = append(args, flag, value)
		}
	}
	return args
}

// divide divides maps among some workers, in turn; 0 is one for each.
func divide(maps []uint32, workers int) (shares [][]uint32) {
	if workers == 0 || workers > len(maps) {
		workers = len(maps)
	}
	shares = make([][]uint32, workers)
	for i, id := range maps {
		shares[i%workers] = append(shares[i%workers], id)
	}
	return shares
}

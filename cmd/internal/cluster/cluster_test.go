package cluster

import (
	"fmt"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"muster/cmd/internal/flags"
	"muster/cmd/internal/worldspec"
)

// Maps are divided among workers in turn.
func TestDivide(t *testing.T) {
	for _, test := range []struct {
		workers int
		want    [][]uint32
	}{
		{0, [][]uint32{{0}, {1}, {571}}}, {1, [][]uint32{{0, 1, 571}}}, {2, [][]uint32{{0, 571}, {1}}}, {9, [][]uint32{{0}, {1}, {571}}},
	} {
		if got := divide([]uint32{0, 1, 571}, test.workers); !reflect.DeepEqual(got, test.want) {
			t.Errorf("among %d: %v, want %v", test.workers, got, test.want)
		}
	}
}

// Where the gateways of a cluster listen: the first as the flags say, the others at the next ports that none has.
func TestGatewayPorts(t *testing.T) {
	at := func(port uint16) flags.Address {
		return flags.Address{AddrPort: netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), port)}
	}
	for _, test := range []struct {
		v    Config
		want [][3]uint16
	}{
		{Config{Auth: at(3724), World: at(8085), Admin: at(8086), Gateways: 3}, [][3]uint16{{3724, 8085, 8086}, {3725, 8087, 8088}, {3726, 8089, 8090}}},
		{Config{Gateways: 2, Auth: at(0), World: at(0), Admin: at(0)}, [][3]uint16{{}, {}}},
		{Config{Gateways: 2, Auth: at(65535), World: at(5), Admin: at(7)}, [][3]uint16{{65535, 5, 7}, {0, 6, 8}}},
	} {
		var got [][3]uint16
		for _, l := range test.v.gateways() {
			got = append(got, [3]uint16{l.auth.Port(), l.world.Port(), l.admin.Port()})
		}
		if !reflect.DeepEqual(got, test.want) {
			t.Errorf("%v, want %v", got, test.want)
		}
	}
}

// Several gateways have their accounts in common, in PostgreSQL, and each has a journal of its own.
func TestGatewayStores(t *testing.T) {
	for _, test := range []struct {
		c    Config
		says string
	}{
		{Config{Gateways: 2, Ephemeral: true}, "--gateways 2 needs PostgreSQL, as memory is for one process: --ephemeral is given with --database local, or not at all"},
		{Config{Gateways: 2, Data: "d"}, "<nil>"},
		{Config{Gateways: 2, Ephemeral: true, Database: "local"}, "<nil>"},
		{Config{Gateways: 17}, "--gateways is from 0 to 16, not 17"},
	} {
		test.c.InstancesPerHour, test.c.InstanceEmpty, test.c.RebalanceAfter, test.c.RateXP = 1, 1, 1, 1
		if err := test.c.Check(); fmt.Sprint(err) != test.says {
			t.Errorf("%+v is refused with %v, want %q", test.c, err, test.says)
		}
	}
	v := Config{Data: "d", Database: "postgres://h/n"}
	if got := []string{v.dataOf(0), v.dataOf(1), v.dataOf(2)}; !reflect.DeepEqual(got, []string{"d", "d/gateway-2", "d/gateway-3"}) {
		t.Errorf("the folders are %q", got)
	}
	for _, test := range []struct {
		v    Config
		want int
	}{{v, 2}, {Config{Data: "d"}, 2}, {Config{Ephemeral: true}, 1}, {Config{Ephemeral: true, Database: "local"}, 2}, {Config{Database: "postgres://h/n", Gateways: 1}, 1}} {
		if test.v.Complete(nil); test.v.Gateways != test.want {
			t.Errorf("%+v has %d gateways, want %d", test.v, test.v.Gateways, test.want)
		}
	}
}

// Workers and gateways are told of their worlds what the cluster is told.
func TestWorldFlags(t *testing.T) {
	var v Config
	parser, err := kong.New(&v, kong.Bind(new(flags.Environment)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse(strings.Fields("--seed 7 --creatures 8 --start one --tick 40ms --phases 3 --cpu-budget 1.5 --death-reclaim corpse --rate-xp 2.5 --strikes 4")); err != nil {
		t.Fatal(err)
	}
	var told struct {
		worldspec.Settings
		flags.Logging
	}
	if parser, err = kong.New(&told, kong.Bind(new(flags.Environment))); err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse(append(v.world(), v.rules()...)); err != nil {
		t.Fatal(err)
	}
	if got, want := told.Settings, (worldspec.Settings{
		Seed: 7, Creatures: 8, Start: "one", Tick: 40 * time.Millisecond, Clock: "real", Phases: 3, CPUBudget: 1.5, DeathReclaim: "corpse", RateXP: 2.5, Strikes: 4, RecordLimit: 1024,
	}); got != want {
		t.Errorf("they are told %+v, want %+v", got, want)
	}
	v.Tick = 5 * time.Millisecond
	if err := v.Check(); err == nil || !strings.Contains(err.Error(), "--tick is at least 6ms") {
		t.Errorf("a step of 5 ms: %v", err)
	}
}

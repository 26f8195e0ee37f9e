package natsbus

import (
	"fmt"
	"strings"

	"github.com/nats-io/nkeys"
)

// A Role is what a process is to the bus. A server of NATS that knows the roles allows each what Permissions says.
type Role string

// The roles. Logins have none: they reach PostgreSQL alone.
const (
	Gateway     Role = "gateway"     // muster serve --bus
	Worker      Role = "worker"      // muster worker
	Orchestrate Role = "orchestrate" // muster orchestrate --bus: it says which instances players enter
	Cluster     Role = "cluster"     // muster cluster itself: it says which worker has ended
)

// Roles are all of them.
var Roles = []Role{Gateway, Worker, Orchestrate, Cluster}

// inbox is the beginning of subjects on which the role is answered: by the stream, whose answers are no other role's.
func (r Role) inbox() string { return "_INBOX_" + string(r) }

// Permissions are the subjects that a role may publish to and subscribe to, for one realm: one token of a subject. All others are refused.
//
// A gateway sends input and cannot send frames; a worker sends frames and cannot send input, nor reach players or accounts. What is within a subject is not
// looked at: a gateway can send input as another one of its realm.
//
// The ADRs 25, 30, 31 and 33 have the subjects. Those of JetStream are of the NATS API Reference, docs.nats.io/reference/reference-protocols/nats_api_reference.
func Permissions(r Role, realm string) (publish, subscribe []string) {
	all := func(subjects ...string) (named []string) {
		for _, s := range subjects {
			named = append(named, strings.ReplaceAll(s, "REALM", realm))
		}
		return named
	}
	switch r {
	case Gateway:
		return all("muster.REALM.in.*.*", "muster.REALM.gateways", "muster.REALM.players", "muster.REALM.players.*", "muster-gateways", "muster-gateways.*",
				"muster.REALM.instances", "muster.REALM.upgrade", "muster.REALM.upgraded"),
			all("muster.REALM.instances.*", "muster.REALM.out.*.*", "muster.REALM.out.*.*.*", "muster.REALM.gateways", "muster.REALM.players", "muster.REALM.players.*",
				"muster-gateways", "muster-gateways.*", "muster.REALM.upgrade", "muster.REALM.upgraded")
	case Worker:
		publish = all("muster.REALM.upgraded", "muster.REALM.out.*.*", "muster.REALM.out.*.*.*", "muster.REALM.lead.*.*", "muster.REALM.log.*.*",
			"$O.muster-REALM-snapshots.>", "$JS.ACK.muster-REALM.>", "$JS.ACK.OBJ_muster-REALM-snapshots.>", "$JS.FC.>",
			"$JS.API.INFO", "$JS.API.STREAM.NAMES")
		for _, stream := range all("muster-REALM", "OBJ_muster-REALM-snapshots") {
			for _, request := range []string{"STREAM.CREATE.%s", "STREAM.INFO.%s", "STREAM.PURGE.%s", "STREAM.MSG.GET.%s", "DIRECT.GET.%s", "DIRECT.GET.%s.>",
				"CONSUMER.CREATE.%s", "CONSUMER.CREATE.%s.>", "CONSUMER.INFO.%s.*", "CONSUMER.DELETE.%s.*", "CONSUMER.MSG.NEXT.%s.*"} {
				publish = append(publish, "$JS.API."+fmt.Sprintf(request, stream))
			}
		}
		return publish, append(all("muster.REALM.upgrade", "muster.REALM.in.*.*", "muster.REALM.lead.*.*", "muster.REALM.ended"), r.inbox()+".>")
	case Orchestrate:
		return all("muster.REALM.instances.*", "muster.REALM.ended"), all("muster.REALM.instances")
	case Cluster:
		return all("muster.REALM.ended"), nil
	}
	return nil, nil
}

// NewSeed draws the key of a user: its seed is what the user keeps.
func NewSeed() (seed []byte, err error) {
	pair, err := nkeys.CreateUser()
	if err != nil {
		return nil, err
	}
	defer pair.Wipe()
	seed, err = pair.Seed()
	return append([]byte{}, seed...), err
}

// Public is the public half of a seed, which servers have.
func Public(seed []byte) (string, error) {
	pair, err := nkeys.FromSeed([]byte(strings.TrimSpace(string(seed))))
	if err != nil {
		return "", err
	}
	defer pair.Wipe()
	return pair.PublicKey()
}

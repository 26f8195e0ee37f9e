package swarm

import (
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"muster/net/login"
	"muster/net/protocol/crypt"
	"muster/net/protocol/wire"
)

const (
	// maxRetries is how often a refused proof is tried again. Clients that handle large numbers without padding, on
	// either side, fail one login in some fifty; ours pads, but a server may not. Source: protocol.md 1.3.
	maxRetries = 3
	retryPause = 250 * time.Millisecond
)

// begin connects to the login server. due is when this, or the attempt before it, was due.
func (r *run) begin(c *client, due moment) {
	if !c.stage.loggingIn() {
		return
	}
	if c.stage == stageWaiting {
		c.due = due
		r.timers.push(timer{at: due + moment(r.config.Login), client: c.id, kind: timerDeadline})
	}
	c.stage = stageConnect
	r.open(c, r.auth)
}

// connected goes on when a connection stands: the login server waits for us, the world server speaks first.
func (r *run) connected(c *client) {
	if c.stage == stageConnect {
		c.stage = stageChallenge
		r.out = login.AppendChallenge(r.out, c.account)
		r.flush(c)
	}
}

// consumeAuth reads the login server's next answer and returns how many bytes it is done with. There is never more
// than one on its way.
func (r *run) consumeAuth(c *client, b []byte) (used int) {
	var err error
	switch c.stage {
	case stageChallenge:
		used, err = r.challenged(c, b)
	case stageProof:
		used, err = r.proved(c, b)
	case stageRealms:
		used, err = r.listedRealms(c, b)
	default:
		err = errors.New("not asked for")
	}
	if err == nil {
		return used
	}
	if !errors.Is(err, wire.ErrShort) {
		r.leave(c, c.stage.String()+": "+err.Error())
	}
	return 0
}

func (r *run) challenged(c *client, b []byte) (used int, err error) {
	reply, used, err := login.ParseChallengeReply(b)
	if err != nil {
		return 0, err
	}
	if reply.Result != login.Success {
		return 0, code(reply.Result)
	}
	srp, err := crypt.NewClient(rand.Reader, c.account, r.config.Password)
	if err != nil {
		return 0, err
	}
	A, M1, K, M2, err := srp.Answer(reply.Public, reply.Salt)
	if err != nil {
		return 0, err
	}
	c.key, c.proof = K, M2
	c.stage = stageProof
	r.out = login.AppendProof(r.out, A, M1)
	r.flush(c)
	return used, nil
}

func (r *run) proved(c *client, b []byte) (used int, err error) {
	reply, used, err := login.ParseProofReply(b)
	if err != nil {
		return 0, err
	}
	switch {
	case reply.Result != login.Success && c.retries < maxRetries:
		c.retries++
		r.report.Logins.Retried++
		r.hangUp(c)
		r.timers.push(timer{at: r.now + moment(retryPause), client: c.id, kind: timerLogin})
		return 0, nil
	case reply.Result != login.Success:
		return 0, code(reply.Result)
	case reply.Proof != c.proof:
		return 0, errors.New("the server does not know the password")
	}
	c.stage = stageRealms
	r.out = login.AppendRealmListRequest(r.out)
	r.flush(c)
	return used, nil
}

// listedRealms goes to the first realm.
func (r *run) listedRealms(c *client, b []byte) (used int, err error) {
	realms, used, err := login.ParseRealmList(b)
	if err != nil {
		return 0, err
	}
	if len(realms) == 0 {
		return 0, errors.New("no realm")
	}
	to, err := r.realmAddress(realms[0].Address)
	if err != nil {
		return 0, err
	}
	c.realmID = uint32(realms[0].ID)
	c.stage = stageWorld
	c.checker.Reset(r.decoder)
	r.open(c, to)
	return used, nil
}

// code is the error of an answer that says no.
func code[T ~uint8](result T) error { return fmt.Errorf("code %#x", uint8(result)) }

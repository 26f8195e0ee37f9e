package realm

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"muster/internal/config"
	"muster/net/gateway"
	"muster/net/ops/console"
	"muster/net/protocol/command"
)

// gateSettings are those of the gateway that can change while it runs.
func (v *Config) gateSettings() gateway.Settings {
	return gateway.Settings{
		DelayAuthChallenge: v.DelayAuthChallenge, DelayAuthResponse: v.DelayAuthResponse,
		Idle: v.Silence.SocketTimeOutTime.Duration, IdleActive: v.Silence.SocketTimeOutTimeActive.Duration,
		KeepIdle: !v.Silence.CloseIdleConnections, MaxQueue: v.MaxQueue, TwoSides: v.AllowTwoSide.Rules(),
	}
}

// reload reads the settings again, has those count that can change, and returns what an operator is answered. What worlds
// read is a command to them, so that recordings have it. The error is a console.Refusal, and nothing has changed then.
func (r *Realm) reload() (said []string, err error) {
	v := r.config
	if !v.changing.TryLock() { // to wait would keep a realm that is to end
		return nil, console.Refusal("The settings are being read.")
	}
	defer v.changing.Unlock()
	r.answering.RLock()
	ended := r.ended
	r.answering.RUnlock()
	if ended == nil || ended.Err() != nil {
		return nil, console.Refusal("The server begins, or ends.")
	}
	changed, kept, err := v.Reread()
	if err != nil {
		return nil, console.Refusal(err.Error())
	}
	password, err := v.OpenPassword()
	if err != nil {
		return nil, console.Refusal(err.Error()) // Validate has asked the same
	}
	v.SetLevel()
	r.gate.Change(v.gateSettings())
	r.logins.SetOpen(password, v.OpenLevel)
	r.instanceRate.Store(math.Float32bits(v.RateXP))
	if slices.Contains(changed, config.Key("rate-xp")) && v.Bus == "" { // other worlds have it from their workers
		if err := r.gate.Tell(command.Console, fmt.Sprintf("server set rate xp %v", v.RateXP)); err != nil {
			r.Log.Error("a world does not take its settings", "err", err)
		}
	}
	r.Log.Info("settings are read again", "changed", strings.Join(changed, ","), "need_restart", strings.Join(kept, ","))
	if len(changed) == 0 {
		said = append(said, "No setting has changed that can.")
	} else {
		said = append(said, "These count from now on: "+strings.Join(changed, ", ")+".")
	}
	if len(kept) > 0 {
		said = append(said, "These need a restart: "+strings.Join(kept, ", ")+".")
	}
	return said, nil
}

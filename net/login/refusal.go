package login

import (
	"errors"
	"fmt"
	"log/slog"

	"muster/internal/refuse"
)

// Reasons lists why a login is refused, or its connection closed.
func Reasons() []refuse.Reason {
	reasons := []struct {
		reason
		level         slog.Level
		why, does, do string
	}{
		{badProof, slog.LevelInfo, "The password is wrong, or the proof is computed from another one.", "LOGON_PROOF with result 4, and closed.", "Check the password, and the proof with the vectors of docs/protocol.md."},
		{unknownAccount, slog.LevelInfo, "There is no such account, and accounts are not open. The client is told the same as for a wrong password.", "LOGON_PROOF with result 4, and closed.", "`muster account create`, or `--open-accounts`."},
		{badReconnect, slog.LevelInfo, "The proof of a reconnection does not follow from the last session key, or there is none.", "RECONNECT_PROOF with result 4, and closed.", "Log in with the password."},
		{suspended, slog.LevelInfo, "The account is banned for a time, or had too many wrong passwords.", "The challenge or the proof is answered with result 0x0C, and closed.", "Wait, or `muster account unban`; `--wrong-pass.max-count`."},
		{banned, slog.LevelInfo, "The account is banned for ever.", "The challenge or the proof is answered with result 3, and closed.", "`muster account unban`."},
		{elsewhere, slog.LevelInfo, "The account is locked to another address.", "LOGON_PROOF with result 0x10, and closed.", "`muster account unlock`."},
		{barred, slog.LevelWarn, "The address had too many wrong passwords.", "The challenge or the proof is answered with result 0x0C, and closed.", "Wait; `--wrong-pass.ban-time`."},
		{openFull, slog.LevelWarn, "No more accounts are made on their first login.", "LOGON_PROOF with result 4, and closed.", "`muster account create`."},
		{wrongVersion, slog.LevelInfo, "The challenge names another build than 12340.", "The challenge is answered with result 9, and closed.", "Send build 12340."},
		{badPacket, slog.LevelInfo, "Bytes that are no packet: a size that does not fit, a name that is no text, an offer of a second factor.", "Closed.", "Compare the layout with docs/protocol.md."},
		{outOfOrder, slog.LevelInfo, "A command that is not expected now, or not supported.", "Closed.", "Challenge, proof, realm list, in that order on one connection."},
		{timedOut, slog.LevelInfo, "A packet took too long to be complete, or the login as a whole.", "Closed.", "Send whole packets, and log in within the times of docs/LIMITS.md."},
		{idle, slog.LevelDebug, "Nothing more came after the login.", "Closed.", "Nothing: a client goes on at the world server."},
		{storeFailed, slog.LevelError, "The store did not answer; `detail` has its error.", "Result 8, and closed.", "See to the store."},
		{full, slog.LevelWarn, "Too many connections.", "Closed at once.", "Log in fewer at a time."},
		{addressFull, slog.LevelWarn, "Too many connections from one address.", "Closed at once.", "Raise `--max-per-address`."},
		{acceptFailed, slog.LevelWarn, "The system has no descriptor or memory for a connection.", "It waits.", "Raise the limit of descriptors (`ulimit -n`)."},
		{panicked, slog.LevelDebug, "A mistake in muster; the error before it has the stack.", "Closed.", "Report it."},
		{peerLeft, slog.LevelDebug, "The client has closed the connection, or it broke.", "Nothing.", "Nothing."},
	}
	var list []refuse.Reason
	for _, r := range reasons {
		list = append(list, refuse.Reason{Name: string(r.reason), Level: r.level, Why: r.why, Does: r.does, Do: r.do})
	}
	return list
}

// end counts and logs why the conversation has ended. Errors without a reason are those of a peer that left.
func (c *conversation) end(err error) {
	why, refused := errors.AsType[reason](err)
	if refused {
		c.server.config.Metric.Count(string(why))
	} else {
		why = peerLeft
	}
	line, ok := c.server.refusals.Admit(string(why))
	if !ok {
		return
	}
	attrs := []slog.Attr{slog.Uint64("session", c.id), slog.String("account", c.claim.Name), slog.String("from", c.from.String()),
		slog.String("state", c.state.String())}
	if c.heard {
		attrs = append(attrs, slog.String("opcode", c.command.String()))
	}
	if e, ok := errors.AsType[*storeError](err); ok {
		attrs = append(attrs, slog.String("detail", e.Error()))
	} else if (why == suspended || why == banned) && c.claim.BanReason != "" {
		attrs = append(attrs, slog.String("detail", c.claim.BanReason))
	}
	line.Write("login: closed", attrs...)
}

func (s state) String() string {
	return [...]string{"challenge", "proof", "reconnect_proof", "authenticated"}[s]
}

// String is the name of a command, or its number.
func (c Command) String() string {
	switch c {
	case CommandChallenge:
		return "LOGON_CHALLENGE"
	case CommandProof:
		return "LOGON_PROOF"
	case CommandReconnectChallenge:
		return "RECONNECT_CHALLENGE"
	case CommandReconnectProof:
		return "RECONNECT_PROOF"
	case CommandRealmList:
		return "REALM_LIST"
	}
	return fmt.Sprintf("%#x", uint8(c))
}

package gateway

import (
	"log/slog"

	"muster/internal/refuse"
)

// cheat is the reason of the system that checks movements.
const cheat = "cheat"

// Reasons lists why a gateway does not use something of a client, or closes its connection, beside those that a session
// finds.
func Reasons() []refuse.Reason {
	return []refuse.Reason{
		{Name: closedFor(Peer), Level: slog.LevelDebug, Why: "The client has closed the connection, or it broke.", Does: "A character without a logout stays in its world until its fight is over.", Do: "Nothing."},
		{Name: closedFor(Shutdown), Level: slog.LevelDebug, Why: "The server ends.", Does: "All characters are saved; SMSG_LOGOUT_COMPLETE, and closed.", Do: "Nothing."},
		{Name: closedFor(Reset), Level: slog.LevelInfo, Why: "An operator has the world begin anew.", Does: "Closed; what the character did since it entered is forgotten.", Do: "Log in again."},
		{Name: closedFor(HandshakeTimeout), Level: slog.LevelInfo, Why: "No login in 10 s from the connection on.", Does: "Closed.", Do: "Read SMSG_AUTH_CHALLENGE and send CMSG_AUTH_SESSION."},
		{Name: closedFor(Idle), Level: slog.LevelInfo, Why: "On the character screen, nothing but CMSG_PING and CMSG_KEEP_ALIVE came for 15 min; `--socket-time-out-time` is how long that may be.", Does: "Closed.", Do: "Enter a world, or send CMSG_CHAR_ENUM now and then."},
		{Name: closedFor(IdleActive), Level: slog.LevelInfo, Why: "In a world, nothing but CMSG_PING came for 60 s; `--socket-time-out-time-active` is how long that may be.", Does: "Closed; the character stays in its world until its fight is over.", Do: "Answer SMSG_TIME_SYNC_REQ, which comes every 10 s, or send CMSG_KEEP_ALIVE."},
		{Name: Unsynced, Level: slog.LevelInfo, Why: "In a world, no CMSG_TIME_SYNC_RESP came for 35 s; once until the next one.", Does: "Its movements have the times of their arrival.", Do: "Answer each SMSG_TIME_SYNC_REQ with its counter and your clock in milliseconds."},
		{Name: closedFor(SlowReader), Level: slog.LevelInfo, Why: "The client does not take what it is sent; `unsent` is how many bytes wait.", Does: "Closed.", Do: "Read all the time, also while computing."},
		{Name: closedFor(Replaced), Level: slog.LevelInfo, Why: "The account has logged in again.", Does: "Closed; the newer connection goes on.", Do: "Use an account for each client."},
		{Name: closedFor(Kicked), Level: slog.LevelWarn, Why: "An operator or a game master has kicked the player, or banned its account.", Does: "Closed.", Do: "Ask them."},
		{Name: closedFor(cheat), Level: slog.LevelWarn, Why: "Too many movements in a minute cannot be: too fast, too far, or an acknowledgement that does not come.", Does: "Closed.", Do: "Move at the speed of the last SMSG_FORCE_RUN_SPEED_CHANGE and acknowledge it; `--strikes` is how many are allowed."},
		{Name: closedFor(Full), Level: slog.LevelWarn, Why: "The process has no room for another connection.", Does: "Closed at once.", Do: "Raise the limit of descriptors (`ulimit -n`)."},
		{Name: closedFor(AddressFull), Level: slog.LevelWarn, Why: "Too many connections from one address.", Does: "Closed at once.", Do: "Raise `--max-per-address`."},
		{Name: closedFor(Panic), Level: slog.LevelDebug, Why: "A mistake in muster; the error before it has the stack.", Does: "Closed.", Do: "Report it."},
		{Name: closedFor(MapPanic), Level: slog.LevelError, Why: "The world of the character has failed: by a mistake in muster, or its worker was killed or cannot be reached. The errors before it say which.", Does: "Closed; the character is as it was saved last.", Do: "Log in again once a worker has the world. After a mistake report it, and start a server without workers again."},
		{Name: closedFor(WorldMoved), Level: slog.LevelInfo, Why: "The worker of the world ends, or gives it to another one, in order: `muster ctl cluster drain` and `move`, or SIGTERM; and has not handed this player over in time.", Does: "Closed; the character is as it was saved last.", Do: "Log in again once a worker has the world."},
		{Name: AcceptError, Level: slog.LevelWarn, Why: "The system has no descriptor or memory for a connection.", Does: "It waits, or is closed.", Do: "Raise the limit of descriptors (`ulimit -n`)."},
		{Name: InboxFull, Level: slog.LevelWarn, Why: "The world has not read for so long that its inbox is full.", Does: "The packet is dropped; a character that would enter is refused.", Do: "See why the world is slow: `muster top`."},
		{Name: QueueWaited, Level: slog.LevelInfo, Why: "All places are taken; `detail` has the place in the queue.", Does: "SMSG_AUTH_RESPONSE with AUTH_WAIT_QUEUE; another one follows when the place changes.", Do: "Wait, or raise `--max-players`, or the limit of the realm: `muster ctl cluster realm limit`."},
		{Name: ChannelRefused, Level: slog.LevelInfo, Why: "There are too many channels, or members of it, or channels of the player, or the password is too long.", Does: "The channel is not joined.", Do: "Leave one."},
	}
}

package session

import (
	"log/slog"

	"muster/internal/refuse"
	"muster/net/protocol/speech"
)

// Reasons lists why a session does not use something of a client, and those for closing that it finds.
func Reasons() []refuse.Reason {
	list := []refuse.Reason{
		{Name: UnknownOpcode, Level: slog.LevelInfo, Why: "No row of the message table has this opcode.", Does: "The packet is dropped. Each opcode is logged once in a session.", Do: "Nothing, if the client can do without an answer; muster does not have that part of the game."},
		{Name: NotServed, Level: slog.LevelDebug, Why: "The message is known, and nothing is done about it.", Does: "The packet is dropped. Each opcode is logged once in a session.", Do: "Nothing."},
		{Name: WrongState, Level: slog.LevelInfo, Why: "The message is not for this state, such as a movement on the character screen, or one that came before the world was there.", Does: "The packet is dropped.", Do: "Wait for the packet that begins the state: SMSG_AUTH_RESPONSE with AUTH_OK, SMSG_LOGIN_VERIFY_WORLD."},
		{Name: BadBody, Level: slog.LevelInfo, Why: "The body does not have the layout of its opcode in build 12340; `detail` has the byte.", Does: "The packet is dropped.", Do: "Compare the layout with the message in net/protocol/msg."},
		{Name: LongBody, Level: slog.LevelInfo, Why: "Bytes are left over after the message.", Does: "The message is used.", Do: "Leave them out: another server may drop the packet."},
		{Name: ForeignMover, Level: slog.LevelInfo, Why: "A movement names another unit than the client's character.", Does: "The packet is dropped.", Do: "Write the packed GUID of the own character before the movement."},
		{Name: Flood, Level: slog.LevelWarn, Why: "More packets, or bytes, than are read from one drain point to the next.", Does: "The packet is dropped.", Do: "Send less at once."},
		{Name: Deferred, Level: slog.LevelDebug, Why: "The server has read nothing for a while, and what has come meanwhile is more than is read at once.", Does: "The rest is read a moment later.", Do: "Nothing."},
		{Name: BadAddons, Level: slog.LevelInfo, Why: "The addon block of CMSG_AUTH_SESSION cannot be read.", Does: "It is taken for empty.", Do: "Send an empty block, or a zlib stream of the stated size."},
		{Name: BadAccountData, Level: slog.LevelInfo, Why: "No such kind of account data, or the stream does not inflate to the stated size.", Does: "The packet is dropped.", Do: "Use kinds 0 to 7, and the size of the inflated text."},
		{Name: CacheRefused, Level: slog.LevelInfo, Why: "The store has no room for more account data of this account.", Does: "It is not kept, and not confirmed.", Do: "Store less."},
		{Name: CacheFailed, Level: slog.LevelWarn, Why: "The store does not answer.", Does: "Account data is neither read nor kept.", Do: "See to the store: the lines of the journal say how it does."},
		{Name: CreateRefused, Level: slog.LevelInfo, Why: "A character cannot be made; `detail` says why.", Does: "SMSG_CHAR_CREATE has the result.", Do: "Choose another name, race or class, or delete a character."},
		{Name: DeleteRefused, Level: slog.LevelInfo, Why: "A character is not deleted; `detail` says why.", Does: "SMSG_CHAR_DELETE has the result.", Do: "Name a character of the account."},
		{Name: EnterRefused, Level: slog.LevelInfo, Why: "A character cannot enter its world; `detail` says why.", Does: "SMSG_CHARACTER_LOGIN_FAILED; the client is on the character screen.", Do: "Name a character of SMSG_CHAR_ENUM."},
		{Name: ChatFlood, Level: slog.LevelInfo, Why: "More chat than is allowed, or chat while muted for it.", Does: "The message is dropped; the first time SMSG_NOTIFICATION says for how long.", Do: "Leave 10 s after the notification, and pauses between messages."},
		{Name: UnhandledChat, Level: slog.LevelInfo, Why: "A type of chat that muster does not have, such as that of parties.", Does: "The message is dropped.", Do: "Say, yell, emote, whisper, or use a channel."},
		{Name: speech.Reason(speech.ErrText), Level: slog.LevelInfo, Why: "The text is empty, not UTF-8, or has signs that cannot be shown.", Does: "The message is dropped.", Do: "Send text without control characters."},
		{Name: speech.Reason(speech.ErrLink), Level: slog.LevelInfo, Why: "A `|` in the text does not belong to a link of the client.", Does: "The message is dropped.", Do: "Write it as `||`."},

		{Name: closed(BadHeader), Level: slog.LevelInfo, Why: "The size of a packet is below 4 or above 10,239, or its opcode is above 0x51E: often the cipher of headers is out of step.", Does: "Closed.", Do: "Encrypt the six bytes of each header, in the order of sending, from the packet after CMSG_AUTH_SESSION on."},
		{Name: closed(BadBody), Level: slog.LevelInfo, Why: "CMSG_AUTH_SESSION or a CMSG_PING before it cannot be read.", Does: "Closed.", Do: "Compare the layout with docs/protocol.md."},
		{Name: closed(BeforeLogin), Level: slog.LevelInfo, Why: "Before the login only CMSG_AUTH_SESSION and CMSG_PING are taken.", Does: "Closed.", Do: "Send CMSG_AUTH_SESSION first."},
		{Name: closed(SecondLogin), Level: slog.LevelInfo, Why: "A second CMSG_AUTH_SESSION.", Does: "Closed.", Do: "Open another connection."},
		{Name: closed(UnknownAccount), Level: slog.LevelInfo, Why: "There is no such account, or it has no session key.", Does: "Closed without an answer: there is no key to encrypt it with.", Do: "Log in at the login server first, with the same name."},
		{Name: closed(WrongDigest), Level: slog.LevelInfo, Why: "The digest does not follow from the session key and both seeds: often another login of the account has made a new key.", Does: "SMSG_AUTH_RESPONSE with AUTH_FAILED, and closed.", Do: "Log in again, and hash name, 0, both seeds and the key as docs/protocol.md has it."},
		{Name: closed(Banned), Level: slog.LevelInfo, Why: "The account was banned after its login.", Does: "SMSG_AUTH_RESPONSE with AUTH_BANNED, and closed.", Do: "`muster account unban`."},
		{Name: closed(RealmLocked), Level: slog.LevelInfo, Why: "An operator has locked the realm for accounts of this security level, or for all.", Does: "SMSG_AUTH_RESPONSE with AUTH_UNAVAILABLE, and closed.", Do: "`muster ctl cluster realm`."},
		{Name: closed(VersionMismatch), Level: slog.LevelInfo, Why: "Another build than 12340.", Does: "SMSG_AUTH_RESPONSE with AUTH_VERSION_MISMATCH if the client can read it, and closed.", Do: "Send build 12340."},
		{Name: closed(RealmNotFound), Level: slog.LevelInfo, Why: "CMSG_AUTH_SESSION names another realm.", Does: "SMSG_AUTH_RESPONSE with REALM_LIST_REALM_NOT_FOUND, and closed.", Do: "Send the number of the realm in the realm list."},
		{Name: closed(Busy), Level: slog.LevelWarn, Why: "The store did not answer in time, so there is no session key or list of characters.", Does: "Closed.", Do: "Try again; see to the store."},
		{Name: closed(QueueFull), Level: slog.LevelWarn, Why: "All places are taken, and all places in the queue.", Does: "SMSG_AUTH_RESPONSE with AUTH_REJECT, and closed.", Do: "Try later, or raise `--max-players` or `--max-queue`."},
		{Name: closed(TooMuchInput), Level: slog.LevelInfo, Why: "The client went on sending while an answer was open.", Does: "Closed.", Do: "Wait for answers."},
		{Name: closed(Flooded), Level: slog.LevelWarn, Why: "More packets of a class in a second than `--flood-policy` allows.", Does: "Closed.", Do: "Send less; docs/LIMITS.md has the classes."},
		{Name: closed(FloodBan), Level: slog.LevelWarn, Why: "The same, for a class with the policy ban.", Does: "Closed, and the account is banned for a day.", Do: "Send less."},
	}
	for c, rate := range Rates {
		list = append(list, refuse.Reason{Name: floods[c], Level: slog.LevelWarn, Why: "More packets of class `" + rate.Name + "` in a second than docs/LIMITS.md has.", Does: "As `--flood-policy` says: used, dropped, read when the second is over, or closed.", Do: "Send less."})
	}
	return list
}

package session

import "slices"

// Counted are the names of all that a session counts.
func Counted() []string {
	return append(slices.Clone(floods[:]), "chat.bad_text", "chat.bad_link",
		Flood, Deferred, UnknownOpcode, WrongState, BadBody, LongBody, BadAddons, ForeignMover, BadAccountData, CacheRefused, CacheFailed,
		ChatFlood, UnhandledChat, NotServed, CreateRefused, DeleteRefused, EnterRefused)
}

// Closing are the reasons for which a session asks to be closed.
func Closing() []string {
	return []string{
		BadHeader, BeforeLogin, SecondLogin, UnknownAccount, WrongDigest, Banned, RealmLocked, VersionMismatch, RealmNotFound, Busy, QueueFull,
		TooMuchInput, BadBody, Flooded, FloodBan,
	}
}

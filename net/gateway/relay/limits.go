package relay

import "muster/internal/limit"

// Limits lists what is bounded between gateways.
func Limits() []limit.Limit {
	const test = "net/gateway/relay TestBounds"
	return []limit.Limit{
		{Name: "questions to other gateways that are not answered", Value: maxAsks, Breach: "answered as if no gateway had the player; of a command, as if its world were silent", Counter: AskDropped, Test: test},
		{Name: "commands of other gateways at a time", Value: maxCommands, Breach: "answered as if the world were silent", Counter: Busy, Test: test},
		{Name: "messages of other gateways that wait to be read", Value: maxMail, Breach: "dropped; members of channels are asked for again", Counter: MailFull, Test: test},
		{Name: "messages that wait to be published", Value: maxOut, Breach: "dropped; members of channels are asked for", Counter: NotSaid, Test: test},
	}
}

package instances

import "muster/internal/limit"

// Limits lists what is bounded of instances, of one process and in a cluster.
func Limits() []limit.Limit {
	var r Rules
	r.setDefaults()
	const bounds = "net/gateway/instances TestBounds"
	return []limit.Limit{
		{Name: "instances at a time, of a server or of a realm; in a cluster, also those that a gateway has players in", Value: r.Slots, Setting: "instances", Breach: "players are turned back", Counter: Refused, Test: bounds},
		{Name: "players in an instance", Value: r.Players, Breach: "others are turned back", Counter: Refused, Test: bounds},
		{Name: "characters that are bound to an instance", Value: r.bound(), Breach: "not bound", Test: "net/gateway/instances TestBindsAreBounded"},
		{Name: "instances that the characters of an account enter in an hour", Value: r.PerHour, Setting: "instances-per-hour", Breach: "players are turned back", Counter: Refused, Test: bounds},
		{Name: "time for which an instance without players is kept", Value: r.Empty, Setting: "instance-empty", Breach: "the instance ends", Counter: Ended, Test: "net/gateway/instances TestOwnInstance"},
		{Name: "accounts of which a server knows what they have entered in the last hour", Value: maxAccounts, Breach: "players of others are turned back", Counter: Refused, Test: "net/gateway/instances TestAccountsAreBounded"},
		{Name: "in a cluster: questions about instances that wait for an orchestrator", Value: maxAsked, Breach: "dropped, and asked again", Counter: AskDropped, Test: "net/gateway/instances TestQuestionsAreBounded"},
		{Name: "in a cluster: characters of a gateway in instances, or on their way", Value: maxInside, Breach: "others are turned back, as if there were too many instances", Counter: Refused, Test: "net/gateway/instances TestInsideIsBounded"},
		{Name: "in a cluster: how often an orchestrator is asked about an instance", Value: asks, Breach: "the player is turned back", Counter: Unanswered, Test: "net/gateway/instances TestUnanswered"},
	}
}

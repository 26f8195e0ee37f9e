package instances

import "muster/internal/limit"

// Limits lists what is bounded of instances in a cluster.
func Limits() []limit.Limit {
	return []limit.Limit{
		{Name: "questions about instances that wait for an orchestrator", Value: maxAsked, Breach: "dropped, and asked again", Counter: AskDropped, Test: "net/gateway/instances TestQuestionsAreBounded"},
		{Name: "characters of a gateway in instances, or on their way", Value: maxInside, Breach: "others are turned back, as if there were too many instances", Counter: Refused, Test: "net/gateway/instances TestInsideIsBounded"},
		{Name: "how often an orchestrator is asked about an instance", Value: asks, Breach: "the player is turned back", Counter: Unanswered, Test: "net/gateway/instances TestUnanswered"},
	}
}

package admin

import "muster/internal/limit"

// Limits lists what the admin address bounds.
func Limits() []limit.Limit {
	return []limit.Limit{
		{Name: "connections to the address for operators", Value: maxConns, Breach: "wait", Test: "net/ops/admin TestConnectionsAreLimited"},
		{Name: "time to take an answer in", Value: answerTime, Breach: "closed", Test: "net/ops/admin TestAnswersAreTakenIn"},
		{Name: "wrong tokens from an address in " + wrongTime.String(), Value: maxWrong, Breach: "not listened to for the rest of it", Counter: lockedOut, Test: "net/ops/admin TestGuessingIsSlow"},
	}
}

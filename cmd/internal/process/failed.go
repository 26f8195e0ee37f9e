package process

import "context"

// FailOn ends the realm if one of its parts ended by itself.
func FailOn(fail context.CancelCauseFunc, err error) {
	if err != nil {
		fail(err)
	}
}

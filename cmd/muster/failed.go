package main

import "context"

// failed ends the realm if one of its parts ended by itself.
func failed(fail context.CancelCauseFunc, err error) {
	if err != nil {
		fail(err)
	}
}

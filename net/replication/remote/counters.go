package remote

import "muster/internal/metric"

// What is counted.
const (
	Malformed      = "bus.malformed"       // messages that are none
	MailFull       = "bus.mail_full"       // messages that were dropped because too many waited
	NotSent        = "bus.not_sent"        // messages that the bus has not taken
	InputRepeated  = "bus.input_repeated"  // messages of input that were taken before
	InputLost      = "bus.input_lost"      // items for which a world had no room
	ForeignSession = "bus.foreign_session" // items of a session that is not the gateway's
	OtherWorld     = "bus.other_world"     // gateways whose world is made otherwise
	Expelled       = "bus.expelled"        // characters that were in a world when another gateway brought them; it tries again
	NotThere       = "bus.not_there"       // characters that were to leave a world, and were not in it
	NoSessions     = "bus.no_sessions"     // wishes for sessions when there were no more
	ReportLost     = "bus.report_lost"     // reports for a gateway that acknowledges none
	FramesLost     = "bus.frames_lost"     // gaps that were longer than what the world keeps
	Keyframes      = "bus.keyframes"       // keyframes that a world has sent, or a gateway has gone on with, after gaps longer than the world's ring
	FramesMissed   = "bus.frames_missed"   // gaps that a gateway found
	FramesRepeated = "bus.frames_repeated" // frames that were sent again
)

func counted() []string {
	return []string{
		Malformed, MailFull, NotSent, InputRepeated, InputLost, ForeignSession, OtherWorld, Expelled, NotThere, NoSessions, ReportLost, FramesLost, FramesMissed,
		FramesRepeated, Keyframes,
	}
}

// mailTo puts messages into a mailbox. What has no room is dropped, as if it were lost on its way.
func mailTo(box chan<- []byte, counters *metric.Table) func([]byte) {
	return func(message []byte) {
		select {
		case box <- message:
		default:
			counters.Count(MailFull)
		}
	}
}

// signal puts a token into a channel that holds one.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

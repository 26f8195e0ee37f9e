package remote

import (
	"muster/internal/limit"
	"muster/net/replication/frame"
)

// Limits lists what is bounded between worlds and gateways in other processes.
func Limits() []limit.Limit {
	return []limit.Limit{
		{Name: "gateways of a world", Value: maxGateways, Breach: "its messages are malformed", Counter: Malformed, Test: "net/replication/remote TestMalformed"},
		{Name: "sessions of a world", Value: maxBlocks * blockSessions, Breach: "what is to enter waits", Counter: NoSessions, Test: "net/replication/remote TestSessionsAreBounded"},
		{Name: "silence of the other end", Value: silence, Breach: "given up: players are closed", Test: "net/replication/remote TestSilence"},
		{Name: "time for which a gateway goes on with a world whose map another one has", Value: replacedTime, Breach: "players that are still in it are closed", Test: "net/replication/remote TestReplacedWorld"},
		{Name: "silence of such a world", Value: aliveTime, Breach: "likewise", Test: "net/replication/remote TestReplacedWorld"},
		{Name: "messages that wait to be read", Value: maxMail, Breach: "dropped, and sent again", Counter: MailFull, Test: "net/replication/remote TestMailIsBounded"},
		{Name: "what a world keeps for a gateway that does not acknowledge it", Value: limit.Bytes(maxUnacked), Breach: "reports are dropped", Counter: ReportLost, Test: "net/replication/remote TestUnacknowledgedIsBounded"},
		{Name: "what a world keeps of what concerns the sessions of a gateway that misses frames", Value: limit.Bytes(maxBacklog), Breach: "dropped: if it is missed, players are closed", Counter: FramesLost, Test: "net/replication/remote TestBacklogIsBounded"},
		{Name: "regions of a map that a gateway subscribes to", Value: frame.Regions, Breach: "there are no more", Test: "net/replication/remote TestGatewaysTakeRegions"},
		{Name: "time that it takes one of no use", Value: regionKept, Breach: "left", Test: "net/replication/remote TestGatewaysTakeRegions"},
		{Name: "ticks that a gateway publishes before its loops have flushed them", Value: "a quarter of what it keeps for clients that lag", Breach: "they wait", Test: "net/replication/remote TestStandstill"},
		{Name: "ticks that a gateway keeps before those that it lacks, or cannot publish yet", Value: maxAhead, Breach: "dropped, and sent again", Counter: FramesMissed, Test: "net/replication/remote TestAheadIsBounded"},
	}
}

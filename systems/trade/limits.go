package trade

import (
	"fmt"

	"muster/internal/limit"
	"muster/net/protocol/msg"
)

// Limits lists what is bounded of trades.
func Limits() []limit.Limit {
	return []limit.Limit{
		{Name: "trades of a player at a time", Value: 1, Breach: "refused: one of the two is busy", Test: "internal/scenario TestScenarios"},
		{Name: "items that a side shows", Value: msg.TradeSlots, Breach: "the trade ends", Counter: "trade.bad_slot", Test: "internal/scenario TestScenarios"},
		{Name: "distance of two that trade", Value: fmt.Sprintf("%.2f yards", maxYards), Breach: "refused, or ended", Test: "internal/scenario TestScenarios"},
	}
}

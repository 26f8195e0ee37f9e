package store

import "muster/internal/limit"

// Limits lists the bounds of every store. The suite that tests them is storetest; each store runs it.
func Limits() []limit.Limit {
	return []limit.Limit{
		{Name: "characters of an account in a realm", Value: MaxCharacters, Breach: "refused", Test: "loaders/store TestMemory"},
		{Name: "characters of an account in all realms", Value: MaxOfAccount, Breach: "refused", Test: "loaders/store TestMemory"},
		{Name: "time for which a database knows that an item with several owners is gone", Value: GoneTime, Breach: "forgotten: a later save of an owner before brings it back", Test: "loaders/store/database TestGoneIsForgotten"},
		{Name: "such items that are known in memory", Value: maxGone, Breach: "the oldest is forgotten", Test: "loaders/store TestGoneInMemory"},
		{Name: "name of a character", Value: limit.Bytes(MaxName), Breach: "refused", Test: "loaders/store TestNormalName"},
		{Name: "block of account data", Value: limit.Bytes(MaxDataBlock), Breach: "refused", Test: "loaders/store TestMemory"},
		{Name: "account data of an account", Value: limit.Bytes(MaxData), Breach: "refused", Test: "loaders/store TestMemory"},
	}
}

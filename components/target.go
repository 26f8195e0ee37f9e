package components

// Target is whom a unit has chosen, friend or foe.
//
// Source: UNIT_FIELD_TARGET, protocol.md appendix A.
type Target struct {
	GUID uint64 `v12340:"0x12"` // 0: nobody
}

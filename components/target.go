package components

// Target is the unit that a unit has selected, friend or foe, and the target of its channel.
//
// Source: UNIT_FIELD_TARGET, UNIT_FIELD_CHANNEL_OBJECT and UNIT_CHANNEL_SPELL, protocol.md appendix A.
type Target struct {
	GUID         uint64 `v12340:"0x12"` // 0: none
	Channel      uint64 `v12340:"0x14"` // GUID of the target of its channel; 0 none
	ChannelSpell uint32 `v12340:"0x16"` // 0: it channels nothing
	_            uint32
}

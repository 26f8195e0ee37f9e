package components

// Target is whom a unit has in mind: whom it has chosen, friend or foe, and what it channels.
//
// Source: UNIT_FIELD_TARGET, UNIT_FIELD_CHANNEL_OBJECT and UNIT_CHANNEL_SPELL, protocol.md appendix A.
type Target struct {
	GUID         uint64 `v12340:"0x12"` // 0: nobody
	Channel      uint64 `v12340:"0x14"` // GUID at which its channel is aimed; 0 nobody
	ChannelSpell uint32 `v12340:"0x16"` // 0: it channels nothing
	_            uint32
}

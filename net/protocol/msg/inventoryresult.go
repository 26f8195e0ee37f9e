package msg

// An InventoryResult is why an item stays where it is.
//
// Source: InventoryResult, Item.h, AzerothCore.
type InventoryResult uint8

// The results that muster sends, by their numbers, and those with a layout of their own.
const (
	InventoryOK               InventoryResult = 0
	InventoryLevel            InventoryResult = 1 // Detail is the level
	InventorySkill            InventoryResult = 2
	InventoryWrongSlot        InventoryResult = 3
	InventoryBagFull          InventoryResult = 4
	InventoryBagInBag         InventoryResult = 5
	InventoryAmmoOnly         InventoryResult = 7
	InventoryProficiency      InventoryResult = 8
	InventoryNoSlot           InventoryResult = 9
	InventoryNever            InventoryResult = 10
	InventoryTwoHanded        InventoryResult = 13
	InventoryDualWield        InventoryResult = 14
	InventoryWrongBag         InventoryResult = 15
	InventoryMaxCount         InventoryResult = 17
	InventoryCantStack        InventoryResult = 19
	InventoryNotEquippable    InventoryResult = 20
	InventoryCantSwap         InventoryResult = 21
	InventorySlotEmpty        InventoryResult = 22
	InventoryItemNotFound     InventoryResult = 23
	InventoryBound            InventoryResult = 24
	InventoryOutOfRange       InventoryResult = 25
	InventoryTooFew           InventoryResult = 26
	InventoryCantSplit        InventoryResult = 27
	InventoryNotEnoughMoney   InventoryResult = 29
	InventoryNotABag          InventoryResult = 30
	InventoryNonEmptyBag      InventoryResult = 31
	InventoryNotOwner         InventoryResult = 32
	InventoryLocked           InventoryResult = 36
	InventoryStunned          InventoryResult = 37
	InventoryDead             InventoryResult = 38
	InventoryNotNow           InventoryResult = 39
	InventoryBagError         InventoryResult = 40
	InventoryLootGone         InventoryResult = 49
	InventoryFull             InventoryResult = 50
	InventoryBusy             InventoryResult = 58
	InventoryNotInCombat      InventoryResult = 60
	InventoryNotWhileDisarmed InventoryResult = 61
	InventoryCantLootNow      InventoryResult = 66
	InventoryUnique           InventoryResult = 67
	InventoryTooMuchMoney     InventoryResult = 77
	InventoryConfirmBind      InventoryResult = 81 // has Source, Slot and Dest
	InventoryCategoryCarried  InventoryResult = 84 // Detail is the category
	InventoryCategorySocketed InventoryResult = 85 // Detail is the category
	InventoryPurchaseLevel    InventoryResult = 87 // Detail is the level
	InventoryCategoryEquipped InventoryResult = 89 // Detail is the category
)

// detailed reports whether an InventoryChangeFailure of the result has a Detail.
func (r InventoryResult) detailed() bool {
	switch r {
	case InventoryLevel, InventoryPurchaseLevel,
		InventoryCategoryCarried, InventoryCategorySocketed, InventoryCategoryEquipped:
		return true
	}
	return false
}

-- +goose Up

-- An item is in one place: that of its row. The next migration moves the items of older saves in.
CREATE TABLE characters.item_instance (
	guid       bigint PRIMARY KEY CHECK (guid > 0), -- with its high part
	itemEntry  bigint NOT NULL CHECK (itemEntry BETWEEN 0 AND 4294967295),
	owner_guid bigint NOT NULL,
	count      bigint NOT NULL CHECK (count BETWEEN 1 AND 4294967295),
	durability bigint NOT NULL CHECK (durability BETWEEN 0 AND 4294967295),
	bag        smallint NOT NULL CHECK (bag BETWEEN 0 AND 255), -- 255, or the slot of the bag that it is in
	slot       smallint NOT NULL CHECK (slot BETWEEN 0 AND 255)
) WITH (fillfactor = 80);

-- What characters have and where, as other servers name it: the bag is the GUID of an item, or 0.
CREATE VIEW characters.character_inventory AS
SELECT i.owner_guid AS guid, coalesce(b.guid, 0) AS bag, i.slot AS slot, i.guid AS item
FROM characters.item_instance i LEFT JOIN characters.item_instance b
ON i.bag <> 255 AND b.owner_guid = i.owner_guid AND b.bag = 255 AND b.slot = i.bag;

SET LOCAL lock_timeout = '60s'; -- a start that waits for longer says so, and ends

-- Another random number after every change of the rows of a character. Its items are damaged if it is -1.
ALTER TABLE characters.characters ADD COLUMN items_revision bigint NOT NULL DEFAULT 0;

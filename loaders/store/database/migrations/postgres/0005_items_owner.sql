-- +goose Up

-- It is made faster when the table is full. There is no foreign key, which would be checked for every item that is made:
-- a transaction that writes an item has locked its owner.
CREATE INDEX item_instance_owner ON characters.item_instance (owner_guid);
ANALYZE characters.item_instance;

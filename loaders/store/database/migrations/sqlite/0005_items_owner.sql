-- +goose Up

-- It is made faster when the table is full.
CREATE INDEX item_instance_owner ON item_instance (owner_guid);

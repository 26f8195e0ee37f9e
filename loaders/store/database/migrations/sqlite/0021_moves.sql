-- +goose Up

-- How often an item has changed owners, modulo 256: of two saves that have it, the one of the owner before does not get it.
ALTER TABLE item_instance ADD COLUMN moves INTEGER NOT NULL DEFAULT 0 CHECK (moves BETWEEN 0 AND 255);

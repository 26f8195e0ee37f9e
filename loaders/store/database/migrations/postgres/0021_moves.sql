-- +goose Up

SET LOCAL lock_timeout = '60s'; -- a start that waits for longer says so, and ends

-- How often an item has changed owners, modulo 256: of two saves that have it, the one of the owner before does not get it.
ALTER TABLE characters.item_instance ADD COLUMN moves smallint NOT NULL DEFAULT 0 CHECK (moves BETWEEN 0 AND 255);

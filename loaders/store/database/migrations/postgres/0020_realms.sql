-- +goose Up

SET LOCAL lock_timeout = '60s'; -- a start that waits for longer says so, and ends

-- The number of the realm that a character is in: 0 is the first. A name is of one character in each.
ALTER TABLE characters.characters ADD COLUMN realm smallint NOT NULL DEFAULT 0 CHECK (realm BETWEEN 0 AND 255);
DROP INDEX characters.characters_name;
CREATE UNIQUE INDEX characters_name ON characters.characters (realm, lower(name));

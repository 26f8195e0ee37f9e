-- +goose Up

-- The number of the realm that a character is in: 0 is the first. A name is of one character in each.
ALTER TABLE characters ADD COLUMN realm INTEGER NOT NULL DEFAULT 0 CHECK (realm BETWEEN 0 AND 255);
DROP INDEX characters_name;
CREATE UNIQUE INDEX characters_name ON characters (realm, lower(name));

-- +goose Up

-- Items that had changed owners and are with none any more, and how often they had: a late save of an owner before does not bring them back.
-- Rows are removed when they are old.
CREATE TABLE item_gone (
	guid  INTEGER PRIMARY KEY,
	moves INTEGER NOT NULL CHECK (moves BETWEEN 0 AND 255),
	unix  INTEGER NOT NULL -- when it was
) STRICT;
CREATE INDEX item_gone_unix ON item_gone (unix);

-- +goose Up

-- Items that had changed owners and are with none any more, and how often they had: a late save of an owner before does not bring them back.
-- Rows are removed when they are old.
CREATE TABLE characters.item_gone (
	guid  bigint PRIMARY KEY,
	moves smallint NOT NULL CHECK (moves BETWEEN 0 AND 255),
	unix  bigint NOT NULL -- when it was
);
CREATE INDEX item_gone_unix ON characters.item_gone (unix);

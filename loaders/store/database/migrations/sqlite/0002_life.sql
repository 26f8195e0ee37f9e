-- +goose Up

-- IDs come from the table of GUIDs, so that they can be given: a dump keeps them.
INSERT INTO guids SELECT 'account', coalesce(max(id), 0) + 1 FROM accounts;
INSERT INTO guids VALUES ('item', 1);

ALTER TABLE accounts ADD COLUMN ban_reason TEXT NOT NULL DEFAULT '';

ALTER TABLE characters ADD COLUMN begun INTEGER NOT NULL DEFAULT 0 CHECK (begun IN (0, 1));
ALTER TABLE characters ADD COLUMN xp INTEGER NOT NULL DEFAULT 0;
ALTER TABLE characters ADD COLUMN money INTEGER NOT NULL DEFAULT 0; -- copper
ALTER TABLE characters ADD COLUMN health INTEGER NOT NULL DEFAULT 0;
ALTER TABLE characters ADD COLUMN played INTEGER NOT NULL DEFAULT 0; -- seconds
ALTER TABLE characters ADD COLUMN level_played INTEGER NOT NULL DEFAULT 0; -- seconds
ALTER TABLE characters ADD COLUMN saved INTEGER NOT NULL DEFAULT 0; -- seconds since 1970
ALTER TABLE characters ADD COLUMN life BLOB NOT NULL DEFAULT x''; -- the rest of a life
ALTER TABLE characters ADD COLUMN items BLOB NOT NULL DEFAULT x'';

-- Who has an item: it is in one place. What it is and where they have it is in the row of its owner.
CREATE TABLE items (
	guid  INTEGER PRIMARY KEY,
	owner INTEGER NOT NULL REFERENCES characters ON DELETE CASCADE
) STRICT;

CREATE INDEX items_owner ON items (owner);

CREATE TABLE account_data (
	account INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
	guid    INTEGER NOT NULL, -- of a character, or 0: the account's own
	kind    INTEGER NOT NULL,
	unix    INTEGER NOT NULL,
	body    BLOB NOT NULL,
	PRIMARY KEY (account, guid, kind)
) STRICT;

-- +goose Up

-- IDs come from the table of GUIDs, so that they can be given: a dump keeps them.
ALTER TABLE auth.accounts ALTER COLUMN id DROP IDENTITY;
INSERT INTO characters.guids SELECT 'account', coalesce(max(id), 0) + 1 FROM auth.accounts;
INSERT INTO characters.guids VALUES ('item', 1);

ALTER TABLE auth.accounts ADD COLUMN ban_reason text NOT NULL DEFAULT '';

ALTER TABLE characters.characters ADD COLUMN begun boolean NOT NULL DEFAULT false;
ALTER TABLE characters.characters ADD COLUMN xp bigint NOT NULL DEFAULT 0;
ALTER TABLE characters.characters ADD COLUMN money bigint NOT NULL DEFAULT 0; -- copper
ALTER TABLE characters.characters ADD COLUMN health bigint NOT NULL DEFAULT 0;
ALTER TABLE characters.characters ADD COLUMN played bigint NOT NULL DEFAULT 0; -- seconds
ALTER TABLE characters.characters ADD COLUMN level_played bigint NOT NULL DEFAULT 0; -- seconds
ALTER TABLE characters.characters ADD COLUMN saved bigint NOT NULL DEFAULT 0; -- seconds since 1970
ALTER TABLE characters.characters ADD COLUMN life bytea NOT NULL DEFAULT ''; -- the rest of a life
ALTER TABLE characters.characters ADD COLUMN items bytea NOT NULL DEFAULT '';

-- A save of everybody finds room for every row beside the one it replaces, and touches no index.
ALTER TABLE characters.characters SET (fillfactor = 45);

-- Who has an item: it is in one place. What it is and where they have it is in the row of its owner.
CREATE TABLE characters.items (
	guid  bigint PRIMARY KEY,
	owner bigint NOT NULL REFERENCES characters.characters ON DELETE CASCADE
);

CREATE INDEX items_owner ON characters.items (owner);

CREATE TABLE characters.account_data (
	account bigint NOT NULL REFERENCES auth.accounts ON DELETE CASCADE,
	guid    bigint NOT NULL, -- of a character, or 0: the account's own
	kind    smallint NOT NULL,
	unix    bigint NOT NULL,
	body    bytea NOT NULL,
	PRIMARY KEY (account, guid, kind)
);

-- +goose Up

-- The next migration moves the spells and actions of older saves in. A transaction that writes them has locked their character.
CREATE TABLE characters.character_spell (
	guid  bigint NOT NULL, -- of the character
	spell bigint NOT NULL CHECK (spell BETWEEN 0 AND 4294967295),
	PRIMARY KEY (guid, spell)
);

CREATE TABLE characters.character_action (
	guid   bigint NOT NULL, -- of the character
	button smallint NOT NULL CHECK (button BETWEEN 0 AND 255),
	action bigint NOT NULL CHECK (action BETWEEN 0 AND 16777215),
	type   smallint NOT NULL CHECK (type BETWEEN 0 AND 255),
	PRIMARY KEY (guid, button)
) WITH (fillfactor = 80);

SET LOCAL lock_timeout = '60s'; -- a start that waits for longer says so, and ends

-- JSON arrays of arrays of numbers: they change with nearly every save. The views are their rows.
ALTER TABLE characters.characters ADD COLUMN auras text NOT NULL DEFAULT '[]';
ALTER TABLE characters.characters ADD COLUMN cooldowns text NOT NULL DEFAULT '[]';

-- Times are milliseconds, and -1 without an end.
CREATE VIEW characters.character_aura AS
SELECT c.guid AS guid, (a.v ->> 2)::bigint AS casterGuid, (a.v ->> 1)::bigint AS spell, (a.v ->> 4)::bigint AS stackCount,
	(a.v ->> 8)::bigint AS amount0, (a.v ->> 9)::bigint AS amount1, (a.v ->> 10)::bigint AS amount2,
	CASE (a.v ->> 6)::bigint WHEN 0 THEN -1 ELSE (a.v ->> 6)::bigint END AS maxDuration,
	CASE (a.v ->> 6)::bigint WHEN 0 THEN -1 ELSE (a.v ->> 7)::bigint END AS remainTime,
	(a.v ->> 5)::bigint AS remainCharges, (a.v ->> 0)::bigint AS slot, (a.v ->> 3)::bigint AS casterLevel
FROM characters.characters c, jsonb_array_elements(c.auras::jsonb) AS a (v);

-- The time is that of the end, in seconds since 1970.
CREATE VIEW characters.character_spell_cooldown AS
SELECT c.guid AS guid, (a.v ->> 0)::bigint AS spell, (a.v ->> 1)::bigint AS category,
	c.saved + ((a.v ->> 2)::bigint + 999) / 1000 AS time
FROM characters.characters c, jsonb_array_elements(c.cooldowns::jsonb) AS a (v);

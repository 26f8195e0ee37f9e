-- +goose Up

-- The next migration moves the spells and actions of older saves in. A transaction that writes them has locked their character.
CREATE TABLE character_spell (
	guid  INTEGER NOT NULL, -- of the character
	spell INTEGER NOT NULL CHECK (spell BETWEEN 0 AND 4294967295),
	PRIMARY KEY (guid, spell)
) STRICT, WITHOUT ROWID;

CREATE TABLE character_action (
	guid   INTEGER NOT NULL, -- of the character
	button INTEGER NOT NULL CHECK (button BETWEEN 0 AND 255),
	action INTEGER NOT NULL CHECK (action BETWEEN 0 AND 16777215),
	type   INTEGER NOT NULL CHECK (type BETWEEN 0 AND 255),
	PRIMARY KEY (guid, button)
) STRICT, WITHOUT ROWID;

-- JSON arrays of arrays of numbers: they change with nearly every save. The views are their rows.
ALTER TABLE characters ADD COLUMN auras TEXT NOT NULL DEFAULT '[]';
ALTER TABLE characters ADD COLUMN cooldowns TEXT NOT NULL DEFAULT '[]';

-- Times are milliseconds, and -1 without an end.
CREATE VIEW character_aura AS
SELECT c.guid AS guid, (a.value ->> 2) AS casterGuid, (a.value ->> 1) AS spell, (a.value ->> 4) AS stackCount,
	(a.value ->> 8) AS amount0, (a.value ->> 9) AS amount1, (a.value ->> 10) AS amount2,
	CASE a.value ->> 6 WHEN 0 THEN -1 ELSE a.value ->> 6 END AS maxDuration,
	CASE a.value ->> 6 WHEN 0 THEN -1 ELSE a.value ->> 7 END AS remainTime,
	(a.value ->> 5) AS remainCharges, (a.value ->> 0) AS slot, (a.value ->> 3) AS casterLevel
FROM characters c, json_each(c.auras) a;

-- The time is that of the end, in seconds since 1970.
CREATE VIEW character_spell_cooldown AS
SELECT c.guid AS guid, (a.value ->> 0) AS spell, (a.value ->> 1) AS category,
	c.saved + ((a.value ->> 2) + 999) / 1000 AS time
FROM characters c, json_each(c.cooldowns) a;

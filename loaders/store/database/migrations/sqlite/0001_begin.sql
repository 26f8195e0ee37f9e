-- +goose Up

CREATE TABLE accounts (
	id            INTEGER PRIMARY KEY AUTOINCREMENT,
	name          TEXT NOT NULL UNIQUE,
	salt          BLOB NOT NULL CHECK (length(salt) = 32),
	verifier      BLOB NOT NULL CHECK (length(verifier) = 32),
	level         INTEGER NOT NULL,
	expansion     INTEGER NOT NULL,
	locked        INTEGER NOT NULL CHECK (locked IN (0, 1)),
	ban_end       INTEGER NOT NULL, -- seconds since 1970
	failed_logins INTEGER NOT NULL,
	last_address  TEXT NOT NULL,
	session_key   BLOB CHECK (length(session_key) = 40)
) STRICT;

CREATE TABLE realms (
	id       INTEGER PRIMARY KEY,
	name     TEXT NOT NULL UNIQUE,
	address  TEXT NOT NULL,
	kind     INTEGER NOT NULL,
	locked   INTEGER NOT NULL CHECK (locked IN (0, 1)),
	flags    INTEGER NOT NULL,
	category INTEGER NOT NULL
) STRICT;

CREATE TABLE characters (
	guid        INTEGER PRIMARY KEY,
	account     INTEGER NOT NULL REFERENCES accounts,
	name        TEXT NOT NULL,
	race        INTEGER NOT NULL,
	class       INTEGER NOT NULL,
	gender      INTEGER NOT NULL,
	skin        INTEGER NOT NULL,
	face        INTEGER NOT NULL,
	hair_style  INTEGER NOT NULL,
	hair_color  INTEGER NOT NULL,
	facial_hair INTEGER NOT NULL,
	level       INTEGER NOT NULL,
	map         INTEGER NOT NULL,
	zone        INTEGER NOT NULL,
	x           REAL NOT NULL,
	y           REAL NOT NULL,
	z           REAL NOT NULL,
	o           REAL NOT NULL,
	version     INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX characters_name ON characters (lower(name));
CREATE INDEX characters_account ON characters (account);

CREATE TABLE guids (
	kind TEXT PRIMARY KEY,
	next INTEGER NOT NULL -- the first that is leased to nobody
) STRICT;

INSERT INTO guids VALUES ('character', 1);

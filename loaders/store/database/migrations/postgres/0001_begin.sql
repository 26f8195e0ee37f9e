-- +goose Up

CREATE TABLE auth.accounts (
	id            bigint GENERATED ALWAYS AS IDENTITY (MAXVALUE 4294967295) PRIMARY KEY,
	name          text COLLATE "C" NOT NULL UNIQUE,
	salt          bytea NOT NULL CHECK (octet_length(salt) = 32),
	verifier      bytea NOT NULL CHECK (octet_length(verifier) = 32),
	level         smallint NOT NULL,
	expansion     smallint NOT NULL,
	locked        boolean NOT NULL,
	ban_end       bigint NOT NULL, -- seconds since 1970
	failed_logins bigint NOT NULL,
	last_address  text NOT NULL,
	session_key   bytea CHECK (octet_length(session_key) = 40)
);

CREATE TABLE auth.realms (
	id       smallint PRIMARY KEY,
	name     text COLLATE "C" NOT NULL UNIQUE,
	address  text NOT NULL,
	kind     smallint NOT NULL,
	locked   boolean NOT NULL,
	flags    smallint NOT NULL,
	category smallint NOT NULL
);

-- Saves change no column of an index, and find room beside the row they replace.
CREATE TABLE characters.characters (
	guid        bigint PRIMARY KEY,
	account     bigint NOT NULL REFERENCES auth.accounts,
	name        text COLLATE "C" NOT NULL,
	race        smallint NOT NULL,
	class       smallint NOT NULL,
	gender      smallint NOT NULL,
	skin        smallint NOT NULL,
	face        smallint NOT NULL,
	hair_style  smallint NOT NULL,
	hair_color  smallint NOT NULL,
	facial_hair smallint NOT NULL,
	level       smallint NOT NULL,
	map         bigint NOT NULL,
	zone        bigint NOT NULL,
	x           real NOT NULL,
	y           real NOT NULL,
	z           real NOT NULL,
	o           real NOT NULL,
	version     bigint NOT NULL
) WITH (fillfactor = 80);

CREATE UNIQUE INDEX characters_name ON characters.characters (lower(name));
CREATE INDEX characters_account ON characters.characters (account);

CREATE TABLE characters.guids (
	kind text PRIMARY KEY,
	next bigint NOT NULL -- the first that is leased to nobody
);

INSERT INTO characters.guids VALUES ('character', 1);

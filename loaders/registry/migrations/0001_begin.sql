-- +goose Up

-- Gateways that are there. A lease ends when now() is later than until; all times are of the database.
CREATE TABLE cluster.gateways (
	number  smallint PRIMARY KEY CHECK (number BETWEEN 1 AND 255),
	home    text NOT NULL UNIQUE,   -- what only one process at a time can have: it is kept beside its journal
	life    bigint NOT NULL,        -- another number for each process
	address text NOT NULL,          -- host:port, as clients dial it; empty until it accepts players
	load    integer NOT NULL,       -- connections that are let in
	since   timestamptz NOT NULL,
	heard   timestamptz NOT NULL,
	until   timestamptz NOT NULL
);
CREATE SEQUENCE cluster.lives;

-- Which gateway an account plays through. It is free if there is no gateway, or if the lease of that has ended.
CREATE TABLE cluster.sessions (
	account   bigint PRIMARY KEY,
	login     bigint NOT NULL,      -- the newest that has claimed it
	gateway   smallint,
	guid      bigint,               -- of the character
	fence     bigint NOT NULL,      -- grows with each claim
	since     timestamptz NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX sessions_gateway ON cluster.sessions (gateway);
CREATE SEQUENCE cluster.logins;

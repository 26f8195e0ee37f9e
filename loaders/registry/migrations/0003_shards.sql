-- +goose Up

-- Processes that are there, of all roles. All times are of the database.
CREATE TABLE cluster.processes (
	id       bigint PRIMARY KEY,       -- from lives: another for each process
	realm    text NOT NULL,
	role     text NOT NULL,            -- worker, orchestrate, login, gateway
	host     text NOT NULL,
	pid      integer NOT NULL,
	address  text NOT NULL,            -- host:port for clients; empty if it has none
	admin    text NOT NULL,            -- host:port for operators
	capacity integer NOT NULL,         -- of a worker: shards at most
	draining boolean NOT NULL DEFAULT false,
	load     real NOT NULL DEFAULT 0,  -- of a worker: cores that its ticks take
	leads    boolean NOT NULL DEFAULT false,
	since    timestamptz NOT NULL,
	until    timestamptz NOT NULL,
	steady   timestamptz NOT NULL      -- since when its lease has not been over
);

-- Worlds, each of which one worker has at a time.
CREATE TABLE cluster.shards (
	realm    text NOT NULL,
	map      bigint NOT NULL,
	instance bigint NOT NULL,
	worker   bigint,                   -- a process; null if it has none
	epoch    bigint NOT NULL,          -- grows with each worker that it is given to
	state    text NOT NULL,            -- free, given, runs
	tick     bigint NOT NULL DEFAULT 0,
	players  integer NOT NULL DEFAULT 0,
	since    timestamptz NOT NULL,
	PRIMARY KEY (realm, map, instance)
) WITH (fillfactor = 80);

-- From which logins of a realm make the salts of accounts that do not exist: all alike.
CREATE TABLE cluster.secrets (
	realm text PRIMARY KEY,
	bytes bytea NOT NULL
);

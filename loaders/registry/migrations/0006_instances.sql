-- +goose Up

-- Instances of maps: each is a shard besides. Their numbers are used once.
CREATE SEQUENCE cluster.instance_numbers AS integer;
CREATE TABLE cluster.instances (
	realm   text NOT NULL,
	number  bigint NOT NULL,
	map     bigint NOT NULL,
	since   timestamptz NOT NULL,
	emptied timestamptz,               -- when it was seen first to be empty; null while it is not
	PRIMARY KEY (realm, number)
);

-- Which characters find which instance again: one of each map.
CREATE TABLE cluster.binds (
	realm  text NOT NULL,
	guid   bigint NOT NULL,
	map    bigint NOT NULL,
	number bigint NOT NULL,
	PRIMARY KEY (realm, guid, map),
	FOREIGN KEY (realm, number) REFERENCES cluster.instances ON DELETE CASCADE
);
CREATE INDEX binds_instance ON cluster.binds (realm, number);

-- Characters in instances, or on their way, as their gateways said last. What is not said again ends.
CREATE TABLE cluster.inside (
	realm   text NOT NULL,
	gateway smallint NOT NULL,
	visit   bigint NOT NULL,           -- another number for each entry through a gateway, ascending
	guid    bigint NOT NULL,
	number  bigint NOT NULL,
	until   timestamptz NOT NULL,
	PRIMARY KEY (realm, gateway, visit),
	FOREIGN KEY (realm, number) REFERENCES cluster.instances ON DELETE CASCADE
);
CREATE INDEX inside_instance ON cluster.inside (realm, number);

-- When an account entered an instance last. Accounts are limited in each realm for itself.
CREATE TABLE cluster.visits (
	realm   text NOT NULL,
	account bigint NOT NULL,
	number  bigint NOT NULL,
	entered timestamptz NOT NULL,
	PRIMARY KEY (realm, account, number)
);
CREATE INDEX visits_entered ON cluster.visits (entered);

-- +goose Up

-- Of a worker: it keeps its worlds in logs, which others go on with.
ALTER TABLE cluster.processes ADD COLUMN durable boolean NOT NULL DEFAULT false;

-- Workers that follow the log of a shard which another one has, to go on with it when that ends.
CREATE TABLE cluster.standbys (
	realm    text NOT NULL,
	map      bigint NOT NULL,
	instance bigint NOT NULL,
	worker   bigint NOT NULL,                -- a process
	ready    boolean NOT NULL DEFAULT false, -- it has read the log, and is a moment behind
	tick     bigint NOT NULL DEFAULT 0,      -- that it has stepped, as it said last
	PRIMARY KEY (realm, map, instance, worker),
	FOREIGN KEY (realm, map, instance) REFERENCES cluster.shards ON DELETE CASCADE
) WITH (fillfactor = 80);
CREATE INDEX standbys_worker ON cluster.standbys (worker);

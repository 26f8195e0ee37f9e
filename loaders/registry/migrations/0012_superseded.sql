-- +goose Up

-- Whether an upgrade has other workers take the place of a worker: it keeps its worlds until it drains, and is given those of others only if no other can go on with their logs.
ALTER TABLE cluster.processes ADD COLUMN superseded boolean NOT NULL DEFAULT false;

-- Of which release the worker was that ran a world last, and with which settings: others cannot go on with its log, but are handed it. '' if none has run it.
ALTER TABLE cluster.shards ADD COLUMN release  text NOT NULL DEFAULT '';
ALTER TABLE cluster.shards ADD COLUMN settings text NOT NULL DEFAULT '';

-- +goose Up

-- What a process runs, '' if it is of a release before these columns: an upgrade has workers hand their worlds to those of another release, or with other settings.
ALTER TABLE cluster.processes ADD COLUMN release  text NOT NULL DEFAULT '';
ALTER TABLE cluster.processes ADD COLUMN settings text NOT NULL DEFAULT ''; -- of a worker: those of its worlds
ALTER TABLE cluster.processes ADD COLUMN template text NOT NULL DEFAULT ''; -- of a worker: in which it and gateways must agree

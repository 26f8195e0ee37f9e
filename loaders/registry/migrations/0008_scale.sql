-- +goose Up

-- How many workers an operator wants a realm to have.
CREATE TABLE cluster.scales (
	realm   text PRIMARY KEY,
	workers integer NOT NULL
);

-- An operator wants the process to end.
ALTER TABLE cluster.processes ADD COLUMN ending boolean NOT NULL DEFAULT false;

-- +goose Up

-- Of a worker: the maps of its world; null if it says nothing of them.
ALTER TABLE cluster.processes ADD COLUMN maps bigint[];

-- +goose Up

ALTER TABLE cluster.shards ADD COLUMN load  real NOT NULL DEFAULT 0; -- cores that its ticks take, as its worker said last
ALTER TABLE cluster.shards ADD COLUMN moved timestamptz;             -- when it was moved last; null if it was never

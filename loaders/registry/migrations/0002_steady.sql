-- +goose Up

-- Since when the lease of a gateway has not been over. While the database is away no gateway renews, and none is known to have ended.
ALTER TABLE cluster.gateways ADD COLUMN steady timestamptz NOT NULL DEFAULT now();

-- +goose Up

-- How many players a realm lets in at a time, through all of its gateways together; 0: as many as those have seats for.
ALTER TABLE cluster.realms ADD COLUMN players integer NOT NULL DEFAULT 0;

-- Logins that are let in, and those that wait for it, in the order of their tickets. Those of a gateway count for as long as it is heard of.
CREATE TABLE cluster.places (
	account   bigint PRIMARY KEY,
	login     bigint NOT NULL,   -- the newest of the account
	ticket    bigint NOT NULL,   -- the login with which it began to wait
	gateway   smallint NOT NULL REFERENCES cluster.gateways ON DELETE CASCADE,
	life      bigint NOT NULL,   -- of the gateway
	placed    boolean NOT NULL   -- it is let in
);
CREATE INDEX places_waiting ON cluster.places (ticket) WHERE NOT placed;
CREATE INDEX places_gateway ON cluster.places (gateway);

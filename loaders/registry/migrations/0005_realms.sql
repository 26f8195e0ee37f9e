-- +goose Up

-- Realms, which share accounts and have characters of their own. A realm is made by the first gateway of that name.
CREATE TABLE cluster.realms (
	number  smallint PRIMARY KEY CHECK (number BETWEEN 0 AND 99), -- that of its characters
	name    text NOT NULL UNIQUE,
	level   smallint NOT NULL DEFAULT 0,                          -- accounts of lower security levels are locked out
	offline boolean NOT NULL DEFAULT false                        -- it lets no clients in, whatever gateways it has
);

ALTER TABLE cluster.gateways ADD COLUMN realm smallint NOT NULL DEFAULT 0;
ALTER TABLE cluster.gateways ADD COLUMN seats integer NOT NULL DEFAULT 0; -- how many connections it lets in at most; 0: it is not known

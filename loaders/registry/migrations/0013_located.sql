-- +goose Up

-- In which world the character of a session is, as its gateway said last; null if it was in none then. It counts for the claim by which it was said alone.
ALTER TABLE cluster.sessions ADD COLUMN map      bigint;
ALTER TABLE cluster.sessions ADD COLUMN instance bigint;
ALTER TABLE cluster.sessions ADD COLUMN located  bigint; -- the fence of that claim

this is not read at all; INSERT INTO creature VALUES (9);

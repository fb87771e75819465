-- Oldest schema whose programs may use this one: 1

-- Money is whole cents. All of it comes in by a gift and plays in a visit, so that for
-- each handle, and for all of them together:
--     cents at rest = gifts - sum of cents_in + sum of cents_out
-- Nothing here is a sum that many transactions change: each locks its own player.

CREATE TABLE fleet (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    id text NOT NULL,
    -- The last migration, and the oldest program that may still use the schema.
    schema integer NOT NULL,
    oldest integer NOT NULL,
    -- Is raised by each ban, and each key that is reset, for servers to notice.
    changes bigint NOT NULL DEFAULT 0
);

-- A transaction of a server begins by locking its row FOR SHARE. Only who takes a name
-- over raises the epoch, and waits for those locks. So what changes often is elsewhere.
CREATE TABLE servers (
    name text PRIMARY KEY,
    journal text NOT NULL,
    epoch bigint NOT NULL,
    address text NOT NULL,
    -- When the host wrote the server off; it never serves again.
    written_off timestamptz
);

-- What each server says once a second: that it lives, and how far its journal is on
-- its disk. All visits in the lines up to `settled` are in the table of visits.
CREATE TABLE counters (
    name text PRIMARY KEY,
    counter bigint NOT NULL DEFAULT 0,
    seq bigint NOT NULL DEFAULT 0,
    hash text NOT NULL DEFAULT '',
    settled bigint NOT NULL DEFAULT 0,
    -- The start of PostgreSQL with which the server has compared its visits.
    compared text NOT NULL DEFAULT '',
    is_running boolean NOT NULL DEFAULT true,
    visits integer NOT NULL DEFAULT 0,
    seen timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);

-- Accounts at rest. One below zero has spent money twice while PostgreSQL had lost
-- transactions: it is frozen until it is not.
CREATE TABLE players (
    handle text PRIMARY KEY,
    cents numeric NOT NULL CHECK (cents = trunc(cents)),
    -- The hash of the key; null for a handle that is free to be claimed again.
    sha256 text
) WITH (fillfactor = 70);

-- What the donor gave, each gift once. Opening balances and imports are gifts, too.
CREATE TABLE gifts (
    id text PRIMARY KEY,
    handle text NOT NULL REFERENCES players,
    cents numeric NOT NULL CHECK (cents = trunc(cents)),
    given timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX gifts_of_handle ON gifts (handle);

-- cents_in is PostgreSQL's truth and cents_out the journal's; it is set once.
CREATE TABLE visits (
    id text PRIMARY KEY,
    handle text NOT NULL REFERENCES players,
    server text NOT NULL,
    cents_in numeric NOT NULL CHECK (cents_in = trunc(cents_in) AND cents_in >= 0),
    cents_out numeric CHECK (cents_out = trunc(cents_out) AND cents_out >= 0),
    -- The gift that came with it.
    gift text REFERENCES gifts,
    opened timestamptz NOT NULL DEFAULT now(),
    closed timestamptz,
    -- The checkpoint: the table, the chips in front of the player, those at stake.
    at text NOT NULL,
    free numeric,
    held numeric,
    -- Since when the server has been unheard; the handle may sit elsewhere.
    stranded timestamptz
) WITH (fillfactor = 70);
CREATE UNIQUE INDEX one_open_visit ON visits (handle)
    WHERE cents_out IS NULL AND stranded IS NULL;
CREATE INDEX open_visits_of_server ON visits (server) WHERE cents_out IS NULL;
CREATE INDEX visits_of_handle ON visits (handle);

CREATE TABLE bans (
    handle text PRIMARY KEY
);

CREATE TABLE notices (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    handle text NOT NULL,
    text text NOT NULL,
    -- The visit with which it has gone to a server; null while it waits here.
    visit text
);
CREATE INDEX notices_of_handle ON notices (handle);
CREATE INDEX notices_of_visit ON notices (visit);

-- The directory: what a list of tables shows. It has no code of a private table.
CREATE TABLE tables (
    server text NOT NULL,
    name text NOT NULL,
    view jsonb NOT NULL,
    PRIMARY KEY (server, name)
);

-- What another PostgreSQL has otherwise, and a database that was restored.
CREATE VIEW this_start AS
    SELECT pg_postmaster_start_time()::text || '/' || oid AS start
    FROM pg_database WHERE datname = current_database();

-- The books, from which all sums can be read; together they are zero.
CREATE VIEW accounts AS
    SELECT 'player:' || handle AS account, cents FROM players
    UNION ALL
    SELECT 'donor', -coalesce(sum(cents), 0) FROM gifts
    UNION ALL
    SELECT CASE WHEN s.written_off IS NULL THEN 'vault:' ELSE 'lost:' END || v.server,
           sum(v.cents_in - coalesce(v.cents_out, 0))
    FROM visits v LEFT JOIN servers s ON s.name = v.server
    GROUP BY v.server, s.written_off;

-- The roles of one club. Run it once for each club, as the keeper of the database cluster, in the club's own database:
--
--   psql -v ON_ERROR_STOP=1 -v player=rusty_anchor -f postgres-roles.sql 'postgresql://keeper@host/rusty_anchor'
--
-- The database has been made before (CREATE DATABASE), and a first `affray init` by the keeper has laid out the tables.
-- `player` is the role with which the members of the club play; it is made here
-- without a password: give it one with \password, or name another way to log in in pg_hba.conf.

SELECT format('CREATE ROLE %I LOGIN', :'player') WHERE NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = :'player')
\gexec

-- Nobody else gets into this club's database.
SELECT format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database()) \gexec
SELECT format('GRANT CONNECT ON DATABASE %I TO %I', current_database(), :'player') \gexec
REVOKE ALL ON SCHEMA public FROM PUBLIC;

-- The player reads everything and appends. Which role recorded an entry is filled in by the server: the column `role`
-- is left out, so that nobody can write another name into it.
GRANT USAGE ON SCHEMA affray TO :"player";
GRANT SELECT ON ALL TABLES IN SCHEMA affray TO :"player";
GRANT INSERT (campaign, entry, after, command, origin, drawn, hidden, recorded_at, by, typed, program, once, parts, digest)
    ON affray.entries TO :"player";
GRANT INSERT (campaign, entry, nth, body, split) ON affray.events TO :"player";
GRANT INSERT ON affray.keys, affray.checkpoints TO :"player";
GRANT INSERT (campaign) ON affray.turns TO :"player";

-- Checkpoints can be made again at any time, and the column `turn` records nothing: it is there to be locked.
GRANT DELETE ON affray.checkpoints TO :"player";
GRANT UPDATE (turn) ON affray.turns TO :"player";

-- What lies on the tray is no part of the record: links of seats, proposals and questions, until they are settled.
GRANT INSERT, UPDATE, DELETE ON affray.tray TO :"player";

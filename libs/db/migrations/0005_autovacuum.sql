-- Events are inserted, marked as published and deleted a few days later. By default, autovacuum waits until a fifth of a table has changed:
-- the relay then reads the index entries of events that have been published, and the inbox grows by a fifth (decision 46).
alter table outbox set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);
alter table inbox set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);

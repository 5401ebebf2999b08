-- Until then, a running request holds its key. Its process extends the lease while it works, so the key of a process that died is free within
-- seconds. Null for keys of processes that did not know the column: their lease ends 30 seconds after `created_at`.
alter table idempotency_keys add column lease_until timestamptz;

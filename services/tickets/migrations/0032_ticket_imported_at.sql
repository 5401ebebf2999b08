alter table tickets add imported_at timestamptz(3);

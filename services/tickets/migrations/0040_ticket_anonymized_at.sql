-- When a retention policy removed the customer and all texts.
alter table tickets add anonymized_at timestamptz(3);

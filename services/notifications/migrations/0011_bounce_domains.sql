alter table sender_domains
  -- Null while the envelope sender is at the product's domain. Has an effect only while verified_at is set.
  add bounces_verified_at timestamptz(3);

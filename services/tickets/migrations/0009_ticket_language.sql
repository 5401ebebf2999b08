-- The customer's language; null if it is not known.
alter table tickets add language text;

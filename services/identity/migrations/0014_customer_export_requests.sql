-- Null for an export of everything. The row is deleted when the part has been sent.
alter table export_requests add column customer_email text;

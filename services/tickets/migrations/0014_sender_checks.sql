-- For SPF, which needs the SMTP client: its address and the name that it gave (EHLO). Null for fetched email and behind a trusted relay.
alter table inbound_mails add column client_address text;
alter table inbound_mails add column client_name text;
-- {spf, dkim, dmarc, policy}
alter table inbound_mails add column checks jsonb;

-- {matched_by, checks}; null for comments that did not arrive by email.
alter table comments add column email_proof jsonb;

-- The hash of the secret in the cookie of the browser that signed up. Following the link in that browser also signs in; a link that was
-- forwarded, or opened on another device, only confirms the address.
alter table confirmation_tokens add column browser_hash text;
alter table confirmation_tokens add constraint confirmation_tokens_browser_hash_check check (browser_hash ~ '^[0-9a-f]{64}$');

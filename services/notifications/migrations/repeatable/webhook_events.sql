-- Stores a public event at the next position of its organization, with its deliveries, and claims those that can be sent at once. Returns
-- the IDs of the claimed deliveries.
--
-- The row lock on the position is held until the commit: a later position can therefore never become visible before an earlier one. Call it
-- last in a transaction, so that the lock is short.
create or replace function store_webhook_event(
  organization uuid, event_id uuid, event_type text, ticket uuid, number text, event_sequence integer, occurred timestamptz,
  internal boolean, full_body text, reduced_body text,
  delivery_ids uuid[], endpoint_ids uuid[], payloads text[], states text[],
  -- Whether the caller can send at once, and the limits of an endpoint.
  can_claim boolean, lease interval, max_claims integer, max_per_minute integer
) returns uuid[] language plpgsql as $$
declare
  place bigint;
  wanted record;
  can_send boolean;
  claimed uuid[] := '{}';
begin
  insert into webhook_positions (organization_id, last) values (organization, 1)
  on conflict (organization_id) do update set last = webhook_positions.last + 1
  returning last into place;
  insert into webhook_events
    (organization_id, id, position, type, ticket_id, ticket_number, sequence, occurred_at, is_internal, body, thin_body)
  values (organization, event_id, place, event_type, ticket, number, event_sequence, occurred, internal, full_body, reduced_body);
  for wanted in select * from unnest(delivery_ids, endpoint_ids, payloads, states) as d (id, endpoint_id, payload, state) loop
    can_send := can_claim and wanted.state = 'pending' and claim_webhook_endpoint(organization, wanted.endpoint_id, max_claims, max_per_minute);
    insert into webhook_deliveries
      (organization_id, id, endpoint_id, event_id, event, ticket_id, ticket_number, payload, state, cause, next_attempt_at, claimed_until)
    values (
      organization, wanted.id, wanted.endpoint_id, event_id, event_type, ticket, number, wanted.payload, wanted.state, 'event',
      case when wanted.state = 'pending' then now() end, case when can_send then clock_timestamp() + lease end
    );
    if can_send then claimed := claimed || wanted.id; end if;
  end loop;
  return claimed;
end $$;

-- Counts one attempt in the endpoint's minute, if its limits allow one now and no other delivery is due. If the endpoint is locked, its lane
-- is claiming what is due, and this delivery will be next.
create or replace function claim_webhook_endpoint(organization uuid, endpoint uuid, max_claims integer, max_per_minute integer)
returns boolean language plpgsql as $$
declare
  is_new_minute boolean;
begin
  -- Before the lock, which lasts until the commit: with events in quick succession, the lane would otherwise hardly ever get it.
  if not has_webhook_room(organization, endpoint, max_claims) then return false; end if;
  select window_started_at is null or window_started_at <= now() - interval '1 minute' into is_new_minute
  from webhook_endpoints
  where organization_id = organization and id = endpoint and state = 'active' and deleted_at is null and not is_throttled
    and (window_started_at is null or window_started_at <= now() - interval '1 minute' or window_count < max_per_minute)
  for no key update skip locked;
  -- And after it: another transaction may have made claims in between.
  if not found or not has_webhook_room(organization, endpoint, max_claims) then return false; end if;
  update webhook_endpoints
  set window_started_at = case when is_new_minute then now() else window_started_at end,
    window_count = case when is_new_minute then 1 else window_count + 1 end
  where organization_id = organization and id = endpoint;
  return true;
end $$;

-- Whether an endpoint has fewer attempts under way than it may, and no delivery that is due.
create or replace function has_webhook_room(organization uuid, endpoint uuid, max_claims integer) returns boolean language plpgsql as $$
begin
  return max_claims > (
    select count(*) from webhook_deliveries
    where organization_id = organization and endpoint_id = endpoint and claimed_until > clock_timestamp()
  ) and not exists (
    select from webhook_deliveries
    where organization_id = organization and endpoint_id = endpoint and state = 'pending' and next_attempt_at <= now()
      and (claimed_until is null or claimed_until <= clock_timestamp())
  );
end $$;

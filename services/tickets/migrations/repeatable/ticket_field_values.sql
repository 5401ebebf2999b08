-- Custom fields in conditions, and their copy in ticket_field_values. A value is text, a number, a boolean, or a list of texts.

-- The texts of a value, folded: of a list all members, of a missing value none.
create or replace function field_texts(fields jsonb, key text) returns text[] language sql immutable parallel safe as $$
  select case jsonb_typeof(fields -> key)
    when 'array' then array(select fold_case(e) from jsonb_array_elements_text(fields -> key) as e)
    when 'null' then '{}'
    else coalesce(array[fold_case(fields ->> key)], '{}')
  end
  where fields ? key
$$;

-- The value as a number; null if it is none.
create or replace function field_number(fields jsonb, key text) returns double precision language sql immutable parallel safe as $$
  select case when jsonb_typeof(fields -> key) = 'number' then (fields ->> key)::double precision end
$$;

-- The value as text that sorts like a date (YYYY-MM-DD); null if it is no text.
create or replace function field_date(fields jsonb, key text) returns text language sql immutable parallel safe as $$
  select case when jsonb_typeof(fields -> key) = 'string' then (fields ->> key) collate "C" end
$$;

create or replace function copy_field_values() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if new.custom_fields = old.custom_fields then
      update ticket_field_values set status = new.status where organization_id = new.organization_id and ticket_id = new.id;
      return null;
    end if;
    delete from ticket_field_values where organization_id = new.organization_id and ticket_id = new.id;
  end if;
  insert into ticket_field_values (organization_id, key, value, number, status, created_at, ticket_id)
  select new.organization_id, f.key, left(v.value, 255), field_number(new.custom_fields, f.key), new.status, new.created_at, new.id
  from jsonb_object_keys(new.custom_fields) as f(key), unnest(field_texts(new.custom_fields, f.key)) as v(value)
  on conflict do nothing;
  return null;
end $$;

create or replace trigger copy_field_values_on_insert after insert on tickets for each row
  when (new.custom_fields <> '{}') execute function copy_field_values();
create or replace trigger copy_field_values_on_update after update of custom_fields, status on tickets for each row
  when (old.custom_fields is distinct from new.custom_fields or (old.status <> new.status and new.custom_fields <> '{}'))
  execute function copy_field_values();

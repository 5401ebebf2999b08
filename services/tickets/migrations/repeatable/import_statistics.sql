-- Statistics of the staged records of imports. Without them, after 400,000 rows were inserted, PostgreSQL assumes that an import has one
-- record of each kind and reads all of them for each comment. As the owner of the table, because the service's role must not analyze it.
create or replace function analyze_import_records() returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  analyze import_records;
end
$$;

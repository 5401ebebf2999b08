-- Text without regard to case, with the same results as `foldCase` in libs/contracts/src/values/condition-matches.ts. Two letters differ
-- between the locales of PostgreSQL and JavaScript: the dotted capital I, and a sigma at the end of a word.
-- Without `set search_path`, so that the planner inlines it.
create or replace function fold_case(value text) returns text language sql immutable parallel safe
return replace(lower(replace(value, 'İ', U&'i\0307')), 'ς', 'σ');

create table list_preferences (
  organization_id uuid not null,
  user_id uuid not null,
  density text not null check (density in ('comfortable', 'compact')),
  primary key (organization_id, user_id)
);
select tenant_isolation('list_preferences');
comment on table list_preferences is 'How the ticket list looks for each user who has chosen.';

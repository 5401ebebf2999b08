alter table activities
  drop constraint activities_kind_check,
  add constraint activities_kind_check
    check (
      kind in (
        'created', 'changed', 'merged', 'reply_drafted', 'sla_warning', 'sla_breached', 'escalated', 'snoozed', 'woken', 'rules_paused',
        'imported'
      )
    ) not valid;

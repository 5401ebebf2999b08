-- How the task ended whose end the customer is to hear of (`task_finished_at`): the work is finished, or will not be done.
alter table tickets add column task_outcome text not null default 'finished' check (task_outcome in ('finished', 'not_planned'));

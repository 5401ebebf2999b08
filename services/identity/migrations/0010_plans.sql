-- The plan of the organization, by its name in libs/contracts/src/values/plans.ts; null during and after the trial.
alter table organizations add plan text;

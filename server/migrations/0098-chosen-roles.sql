-- Roles that members choose themselves: a list of questions, each with the roles that answer it.
alter table guild_onboarding add column questions jsonb not null default '[]';
-- The owner closed the list of what a new guild still needs.
alter table guild_onboarding add column is_checklist_closed boolean not null default false;

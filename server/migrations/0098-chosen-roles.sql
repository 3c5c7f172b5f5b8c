-- Roles that members choose themselves: a list of questions, each with the roles that answer it.
alter table guild_onboarding add column questions jsonb not null default '[]';
-- The owner of a new guild is shown what it still needs, until they close that.
alter table guild_onboarding add column has_checklist boolean not null default false;

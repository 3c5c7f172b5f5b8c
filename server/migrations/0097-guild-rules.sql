-- Since when who joins a guild has to accept its rules before they write, ms; null: nobody has to.
alter table guild add column rules_since bigint;
-- When a member accepted the rules, ms; null: they did not.
alter table membership add column rules_accepted_at bigint;
-- What newcomers of a guild are shown; a guild without has no row. `rules`: a list of titles with their words.
create table guild_onboarding (
  guild_id bigint primary key,
  rules jsonb not null default '[]'
);

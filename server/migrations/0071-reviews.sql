-- What the staff console shows of decided changes of guilds, and of acts.

-- How the guild looked until the decision: name, icon, desc and banner. Null: it waits, or was decided before this migration.
alter table guild_revision add column before jsonb;
create index guild_revision_decided on guild_revision (id) where status in (1, 2);

-- The acts on a message or a guild.
create index staff_log_target on staff_log (target, id) where kind = 'act';
create index staff_log_acts on staff_log (user_id, id) where kind = 'act';

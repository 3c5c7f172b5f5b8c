-- The members of a role, and the overwrites of a role: deleting it looks them up.
create index membership_role_role on membership_role (guild_id, role_id);
create index channel_role_rule_role on channel_role_rule (guild_id, role_id);
-- The children of a category.
create index channel_parent on channel (parent_id) where deleted_at is null;
alter table channel add column voice_quality smallint not null default 2 check (voice_quality between 1 and 7);

-- What is done in guilds, and roles that can be restored.
create table guild_audit (
  id bigint generated always as identity primary key,
  guild_id bigint not null references guild on delete cascade,
  at bigint not null,
  actor_kind text not null check (actor_kind in ('member', 'bot', 'staff', 'operator')),
  -- Null: the operator.
  actor_id bigint,
  type text not null,
  target_kind text not null,
  target_id text not null,
  -- Empty: the name of person_id.
  target_name text not null,
  -- Whose name the target has.
  person_id bigint,
  before jsonb,
  after jsonb,
  reason text not null
);
create index guild_audit_guild on guild_audit (guild_id, id desc);
create index guild_audit_actor on guild_audit (guild_id, actor_id, id desc);
create index guild_audit_type on guild_audit (guild_id, type, id desc);
create index guild_audit_at on guild_audit (at);

create table deleted_role (
  guild_id bigint not null references guild on delete cascade,
  role_id integer not null,
  deleted_at bigint not null,
  name text not null,
  color integer not null,
  color_list integer[],
  position integer not null,
  hoist smallint not null,
  mentionable smallint not null,
  permissions integer not null,
  -- When it was restored; null: it was not.
  restored_at bigint,
  -- Who had it; once it is restored, who of them does not have it again yet.
  members bigint[] not null,
  -- What channels allowed and denied it: [{channel_id, allow, deny}].
  rules jsonb not null,
  primary key (guild_id, role_id)
);
create index deleted_role_at on deleted_role (deleted_at);

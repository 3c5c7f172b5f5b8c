-- The log of a guild is read by who was acted on.
create index guild_audit_person on guild_audit (guild_id, person_id, id desc) where person_id is not null;

-- What moderators noted of a person in a guild, a member or not; it stays when they leave.
create table guild_note (
  id bigint generated always as identity primary key,
  guild_id bigint not null references guild on delete cascade,
  user_id bigint not null references "user" on delete cascade,
  -- Who wrote it.
  author_id bigint not null references "user" on delete cascade,
  content text not null,
  created_at bigint not null,
  -- The last change of its words; at first as created_at.
  updated_at bigint not null
);
create index guild_note_person on guild_note (guild_id, user_id, id desc);
create index guild_note_user on guild_note (user_id);

-- The last removal of silent members of a guild: what was asked for, and how far it is.
create table guild_prune (
  guild_id bigint primary key references guild on delete cascade,
  -- Who asked for it.
  user_id bigint not null,
  silent_days integer not null,
  -- Whose members go as well as those without a role.
  role_ids integer[] not null,
  started_at bigint not null,
  -- When it last went on; one that stopped for long holds up no other.
  touched_at bigint not null,
  -- How many there were at its start, and how many are removed.
  total integer not null,
  removed integer not null,
  -- Null: it runs.
  ended_at bigint
);

-- Members who may not speak (1), hear (2) or write (3) in a guild. They stay muted when they leave and come back.
create table guild_mute (
  guild_id bigint not null references guild on delete cascade,
  user_id bigint not null references "user" on delete cascade,
  type smallint not null check (type between 1 and 3),
  -- ms; null: without an end.
  ends_at bigint,
  created_at bigint not null,
  primary key (guild_id, user_id, type)
);
create index guild_mute_user on guild_mute (user_id);

-- The list of the banned, the newest first.
create index ban_guild on ban (guild_id, created_at desc, user_id);

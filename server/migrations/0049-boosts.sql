-- Boost packs, and their use on guilds. Times are ms.

create sequence boost_pack_id_seq;
create table boost_pack (
  id bigint primary key default nextval('boost_pack_id_seq'),
  user_id bigint not null references "user",
  -- Null: given by the operator.
  order_id bigint unique references "order",
  count integer not null check (count > 0),
  used integer not null default 0 check (used between 0 and count),
  granted_at bigint not null,
  -- Null: it counts.
  revoked_at bigint
);
create index boost_pack_unused on boost_pack (user_id, id) where revoked_at is null and used < count;

create sequence boost_use_id_seq;
create table boost_use (
  id bigint primary key default nextval('boost_use_id_seq'),
  guild_id bigint not null references guild,
  user_id bigint not null references "user",
  pack_id bigint not null references boost_pack,
  count integer not null check (count > 0),
  start_at bigint not null,
  end_at bigint not null check (end_at >= start_at)
);
create index boost_use_guild on boost_use (guild_id, end_at) include (start_at, count);
create index boost_use_user on boost_use (user_id, end_at);
create index boost_use_pack on boost_use (pack_id);

-- When a guild's count or level changes next by itself; no row: never.
create table boost_turn (
  guild_id bigint primary key references guild,
  at bigint not null
);
create index boost_turn_at on boost_turn (at);

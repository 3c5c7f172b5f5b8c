-- Guilds and what is in them: roles, members, bans, channels with their rules, and the invites that lead there.

-- Sixteen digits and below 2^53, so that ids survive JavaScript's numbers (protocol.md §1.7).
create sequence guild_id_seq start 3100000000000001 maxvalue 3999999999999999;
create sequence channel_id_seq start 4100000000000001 maxvalue 8999999999999999;
-- Role 0 is everyone's in each guild; all others share one sequence.
create sequence role_id_seq as integer start 10001;

create table guild (
  id bigint primary key default nextval('guild_id_seq'),
  name text not null check (char_length(name) between 1 and 100),
  topic text not null default '',
  icon text not null default '',
  -- The owner: the specification's master.
  user_id bigint not null references "user",
  -- Set after the first channel is made, hence no foreign key both ways.
  default_channel_id bigint,
  boost_num integer not null default 0,
  level integer not null default 0 check (level between 0 and 6),
  -- Shown among the guilds the house recommends.
  is_recommended boolean not null default false,
  created_at bigint not null,
  deleted_at bigint
);

create table role (
  guild_id bigint not null references guild on delete cascade,
  role_id integer not null default nextval('role_id_seq') check (role_id >= 0),
  name text not null,
  color integer not null default 0 check (color between 0 and 16777215),
  position integer not null default 0,
  hoist smallint not null default 0 check (hoist in (0, 1)),
  mentionable smallint not null default 0 check (mentionable in (0, 1)),
  permissions integer not null default 0 check (permissions >= 0),
  primary key (guild_id, role_id)
);

create table membership (
  guild_id bigint not null references guild on delete cascade,
  user_id bigint not null references "user" on delete cascade,
  -- Empty: the username.
  nickname text not null default '',
  joined_at bigint not null,
  primary key (guild_id, user_id)
);
create index membership_user on membership (user_id, joined_at);

create table membership_role (
  guild_id bigint not null,
  user_id bigint not null,
  role_id integer not null check (role_id > 0),
  primary key (guild_id, user_id, role_id),
  foreign key (guild_id, user_id) references membership on delete cascade,
  foreign key (guild_id, role_id) references role on delete cascade
);

-- Members who speak for the guild in read-only channels (team_members).
create table guild_team (
  guild_id bigint not null,
  user_id bigint not null,
  primary key (guild_id, user_id),
  foreign key (guild_id, user_id) references membership on delete cascade
);

create table ban (
  guild_id bigint not null references guild on delete cascade,
  user_id bigint not null references "user" on delete cascade,
  remark text not null default '',
  created_at bigint not null,
  primary key (guild_id, user_id)
);

create table channel (
  id bigint primary key default nextval('channel_id_seq'),
  guild_id bigint not null references guild on delete cascade,
  -- Who made it.
  user_id bigint not null references "user",
  parent_id bigint references channel,
  name text not null check (char_length(name) between 1 and 100),
  topic text not null default '',
  -- 0 category, 1 text, 2 voice.
  type smallint not null check (type in (0, 1, 2)),
  level integer not null default 0,
  is_readonly boolean not null default false,
  permission_sync smallint not null default 0 check (permission_sync in (0, 1)),
  slow_mode integer not null default 0,
  limit_amount integer not null default 0,
  created_at bigint not null,
  deleted_at bigint,
  check (parent_id is null or type <> 0)
);
create index channel_guild on channel (guild_id) where deleted_at is null;

create table channel_role_rule (
  channel_id bigint not null references channel on delete cascade,
  guild_id bigint not null,
  role_id integer not null,
  allow integer not null default 0 check (allow >= 0),
  deny integer not null default 0 check (deny >= 0),
  primary key (channel_id, role_id),
  foreign key (guild_id, role_id) references role on delete cascade
);

create table channel_user_rule (
  channel_id bigint not null references channel on delete cascade,
  user_id bigint not null references "user" on delete cascade,
  allow integer not null default 0 check (allow >= 0),
  deny integer not null default 0 check (deny >= 0),
  primary key (channel_id, user_id)
);

create table invite (
  -- The exact spelling counts: codes that differ in case differ.
  code text collate "C" primary key check (code ~ '^[0-9A-Za-z]{6,32}$'),
  guild_id bigint not null references guild on delete cascade,
  -- Null: it leads to the guild.
  channel_id bigint references channel on delete set null,
  user_id bigint not null references "user",
  created_at bigint not null,
  -- Null: it does not expire.
  expires_at bigint,
  -- Null: as often as people like.
  uses_max integer check (uses_max > 0),
  uses integer not null default 0,
  deleted_at bigint,
  check (uses_max is null or uses <= uses_max)
);
create index invite_guild on invite (guild_id);

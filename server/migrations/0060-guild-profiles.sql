-- How a guild looks to others, and the guilds that staff recommend. Times are ms.

-- The address of its picture, 16:9; empty: none. What describes a guild is its topic.
alter table guild add column banner text not null default '';

-- The guilds that staff recommend. It replaces `guild.is_recommended`, which the version before still reads.
create table guild_recommend (
  guild_id bigint primary key references guild,
  -- Of the last change: 0 under review, 1 passed, 2 rejected.
  audit_status integer not null default 1 check (audit_status between 0 and 2),
  -- Why it was rejected.
  reason text not null default '',
  -- When the last change passed; null: none has.
  passed_at bigint,
  created_at bigint not null
);
insert into guild_recommend (guild_id, created_at) select id, created_at from guild where is_recommended;

-- Changes of recommended guilds, each as the guild looks with it.
create sequence guild_revision_id_seq;
create table guild_revision (
  id bigint primary key default nextval('guild_revision_id_seq'),
  guild_id bigint not null references guild,
  -- Who wants it.
  user_id bigint not null references "user",
  name text not null,
  icon text not null,
  description text not null,
  banner text not null,
  -- 0 waits for staff, 1 passed, 2 rejected, 3 the guild was recommended no longer.
  status integer not null default 0 check (status between 0 and 3),
  reason text not null default '',
  created_at bigint not null,
  decided_at bigint,
  decided_by text
);
-- One change of a guild waits at a time.
create unique index guild_revision_waiting on guild_revision (guild_id) where status = 0;
create index guild_revision_queue on guild_revision (id) where status = 0;
create index guild_revision_guild on guild_revision (guild_id, id desc);
create index guild_revision_user on guild_revision (user_id);

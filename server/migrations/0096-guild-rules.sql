-- Rules by which guilds moderate themselves, what they caught, and messages that wait for moderators.
create table guild_rule (
  id bigint generated always as identity primary key,
  guild_id bigint not null references guild on delete cascade,
  name text not null,
  kind text not null,
  -- What it looks for, see `wire/src/moderation/moderation.ts`: words, patterns, count, repeats, seconds.
  looks_for jsonb not null,
  -- [{type, duration, channel_id}]
  acts jsonb not null,
  exempt_roles integer[] not null,
  is_on boolean not null,
  -- Who made it. Times are ms.
  user_id bigint not null,
  created_at bigint not null,
  updated_at bigint not null
);
create index guild_rule_guild on guild_rule (guild_id, id);

-- How often a rule caught something on a day of Beijing: a row for each of the last seven, written over and over.
create table guild_rule_day (
  rule_id bigint not null references guild_rule on delete cascade,
  slot smallint not null check (slot between 0 and 6),
  -- Days since 1970.
  day integer not null,
  caught integer not null,
  primary key (rule_id, slot)
);

-- Raised with every change of the rules; negative while none that looks at messages is on.
alter table guild add column rules_version integer not null default 0;

-- Until when a rule against raids keeps people from joining, ms, or lets one in at a time; null: none does.
alter table guild add column paused_until bigint;
alter table guild add column pause_is_slow boolean not null default false;

-- Set: it waits for the moderators of its guild, and not for staff.
alter table held_content add column rule_id bigint references guild_rule on delete set null;
alter table held_content add column is_guilds boolean not null default false;
create index held_content_moderators on held_content (guild_id, id) where status = 0 and is_guilds;
create index held_content_rule on held_content (rule_id);

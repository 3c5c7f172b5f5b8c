-- How guilds grow, by day of Beijing, `YYYY-MM-DD`. Counts are kept: reading them costs the same with any number of members.

-- Who came and went, counted by the act itself.
create table member_day (
  guild_id bigint not null references guild on delete cascade,
  day text not null,
  joins integer not null default 0,
  leaves integer not null default 0,
  primary key (guild_id, day)
);
-- Of the days before this table those are known who stayed.
insert into member_day (guild_id, day, joins)
  select guild_id, to_char(to_timestamp(joined_at / 1000.0) at time zone 'Asia/Shanghai', 'YYYY-MM-DD'), count(*)
  from membership group by 1, 2;

-- Who came by which invite. An invite that ended keeps its counts.
create table invite_day (
  guild_id bigint not null references guild on delete cascade,
  day text not null,
  code text not null,
  joins integer not null default 0,
  primary key (guild_id, day, code)
);

-- Messages that were sent; those of a deleted channel stay counted.
create table channel_day (
  guild_id bigint not null references guild on delete cascade,
  day text not null,
  channel_id bigint not null,
  messages integer not null default 0,
  primary key (guild_id, day, channel_id)
);

-- How many people wrote.
create table author_count (
  guild_id bigint not null references guild on delete cascade,
  day text not null,
  people integer not null default 0,
  primary key (guild_id, day)
);
-- Which people these are, until the day is over; no foreign keys, so that recording is cheap.
create table author_day (
  day text not null,
  guild_id bigint not null,
  user_id bigint not null,
  primary key (day, guild_id, user_id)
);

-- Up to when messages are counted, ms; one row.
create table growth_count (
  counted_until bigint not null
);
insert into growth_count values (0);

create index member_day_day on member_day (day);
create index invite_day_day on invite_day (day);
create index channel_day_day on channel_day (day);
create index author_count_day on author_count (day);

-- How often the emoji of a guild were used, by day of Beijing: those that nobody uses make room for others.
create table emoji_day (
  guild_id bigint not null,
  hash text collate "C" not null,
  day text not null,
  uses integer not null default 0,
  primary key (guild_id, hash, day),
  foreign key (guild_id, hash) references guild_emoji on delete cascade
);
create index emoji_day_day on emoji_day (day);
-- Reactions of the last minute are found by their time, in which they are stored.
create index reaction_user_at on reaction_user using brin (at);

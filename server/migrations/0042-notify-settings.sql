-- What a member wants to be notified of, in a guild or one of its channels. 1 all, 2 mentions, 3 nothing; no row: as the guild, or all.
create table notify_setting (
  guild_id bigint not null,
  user_id bigint not null,
  -- 0: the guild.
  channel_id bigint not null default 0,
  notify_type smallint not null check (notify_type in (1, 2, 3)),
  primary key (user_id, guild_id, channel_id),
  foreign key (guild_id, user_id) references membership on delete cascade
);
create index notify_setting_member on notify_setting (guild_id, user_id);

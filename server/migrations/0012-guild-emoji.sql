-- The emoji a guild has of its own. Their pictures are assets, by the key emojis/GUILD/HASH.png.

create table guild_emoji (
  guild_id bigint not null references guild on delete cascade,
  hash text collate "C" not null check (hash ~ '^\w{1,20}$'),
  name text not null,
  -- protocol.md §3.4: 1 stands still, 2 moves, 3 is a game.
  emoji_type smallint not null check (emoji_type in (1, 2, 3)),
  -- Who brought it.
  user_id bigint not null references "user",
  created_at bigint not null,
  primary key (guild_id, hash)
);

-- What happens to a message after it was sent: changes, reactions, pins, whom it called on, and how far each person has read.

alter table message
  -- Grows by one with each change, under the row's lock; events carry it, so that late and repeated ones are known.
  add column revision integer not null default 0,
  -- ms; 0 when it is not pinned.
  add column pinned_at bigint not null default 0;
create index message_pinned on message (channel_id, pinned_at) where pinned_at > 0;

-- The emoji of a message and how often: reading a page counts nothing.
create table reaction (
  message_id uuid not null references message on delete cascade,
  -- protocol.md §1.7: `[#128226;]` or OWNER/HASH.
  emoji_id text collate "C" not null,
  name text not null,
  count integer not null check (count > 0),
  -- The message's revision when it came: the order in which reactions stand.
  since integer not null,
  primary key (message_id, emoji_id)
);

create table reaction_user (
  message_id uuid not null,
  emoji_id text collate "C" not null,
  user_id bigint not null references "user" on delete cascade,
  at bigint not null,
  primary key (message_id, emoji_id, user_id),
  foreign key (message_id, emoji_id) references reaction on delete cascade
);

-- Whom a message calls on, a row per person or role named, so that calling on everyone (role 0) is one row in a guild of
-- any size. Badges count these, and cost what was said to somebody, not what was said.
create table mention (
  channel_id bigint not null references channel on delete cascade,
  -- False: the target is a role.
  is_user boolean not null,
  target_id bigint not null,
  -- The message's number.
  seq bigint not null,
  author_id bigint not null,
  at bigint not null,
  primary key (channel_id, is_user, target_id, seq)
);

-- The number of the last message a person has read in a channel.
create table read_mark (
  user_id bigint not null references "user" on delete cascade,
  channel_id bigint not null references channel on delete cascade,
  seq bigint not null,
  primary key (user_id, channel_id)
);

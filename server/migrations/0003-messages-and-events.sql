-- What is said and what happens: messages, and the numbered logs of events from which everybody's screen is kept true.

-- The next event of a guild takes the next number under this row's lock, so numbers commit in order and without holes.
create table guild_counter (
  guild_id bigint primary key references guild on delete cascade,
  event_seq bigint not null default 0,
  -- Time of the last event: event times never go back, even when the clock does.
  last_at bigint not null default 0
);

create table event_log (
  guild_id bigint not null references guild on delete cascade,
  seq bigint not null,
  -- `message`, or the name of a system event (protocol.md §3.4).
  kind text not null,
  -- Who may view this channel may hear of it; null: every member.
  channel_id bigint,
  body jsonb not null,
  at bigint not null,
  primary key (guild_id, seq)
);

create table person_counter (
  user_id bigint primary key references "user" on delete cascade,
  event_seq bigint not null default 0,
  last_at bigint not null default 0
);

create table person_event_log (
  user_id bigint not null references "user" on delete cascade,
  seq bigint not null,
  kind text not null,
  body jsonb not null,
  at bigint not null,
  primary key (user_id, seq)
);

create table message (
  id uuid primary key,
  guild_id bigint not null references guild on delete cascade,
  channel_id bigint not null references channel on delete cascade,
  author_id bigint not null references "user",
  -- The number of the guild event that brought it.
  seq bigint not null,
  nonce text not null default '',
  -- The name of wire's MessageKind; the numbers differ by dialect.
  kind text not null,
  content text not null,
  mention jsonb not null default '[]',
  mention_roles jsonb not null default '[]',
  mention_all boolean not null default false,
  mention_here boolean not null default false,
  -- Names as they were when it was sent.
  kmarkdown jsonb not null,
  quote jsonb,
  create_at bigint not null,
  updated_at bigint not null default 0,
  deleted_at bigint
);
-- A channel's past, newest first, and an anchor's place in it.
create unique index message_history on message (channel_id, seq desc);
-- A repeated send finds the first message.
create unique index message_nonce on message (channel_id, author_id, nonce) where nonce <> '';

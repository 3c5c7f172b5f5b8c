-- Conversations of two people, outside of guilds: what they say to each other, and how far each has read.

create table chat (
  -- protocol.md §1.7: 32 hexadecimal digits.
  code text collate "C" primary key check (code ~ '^[0-9a-f]{32}$'),
  -- The smaller id first: two people have one conversation.
  low_id bigint not null references "user" on delete cascade,
  high_id bigint not null references "user" on delete cascade,
  created_at bigint not null,
  -- The number and time of its last message, taken under this row's lock: numbers have no holes, times never go back.
  last_seq bigint not null default 0,
  last_at bigint not null default 0,
  unique (low_id, high_id),
  check (low_id < high_id)
);

-- A conversation as one of the two has it.
create table chat_side (
  user_id bigint not null references "user" on delete cascade,
  chat_code text collate "C" not null references chat on delete cascade,
  target_id bigint not null references "user" on delete cascade,
  -- They put it out of their list; the next message brings it back.
  is_hidden boolean not null default false,
  -- The number of the last message they have read, and when they did.
  read_seq bigint not null default 0,
  read_at bigint not null default 0,
  primary key (user_id, chat_code)
);

create table private_message (
  id uuid primary key,
  chat_code text collate "C" not null references chat on delete cascade,
  author_id bigint not null references "user" on delete cascade,
  seq bigint not null,
  nonce text not null default '',
  kind text not null,
  content text not null,
  mention jsonb not null default '[]',
  kmarkdown jsonb not null,
  quote jsonb,
  attachments jsonb,
  create_at bigint not null,
  updated_at bigint not null default 0,
  deleted_at bigint,
  revision integer not null default 0
);
create unique index private_message_history on private_message (chat_code, seq desc);
-- A repeated send finds the first message.
create unique index private_message_nonce on private_message (chat_code, author_id, nonce) where nonce <> '';

create table private_reaction (
  message_id uuid not null references private_message on delete cascade,
  emoji_id text collate "C" not null,
  user_id bigint not null references "user" on delete cascade,
  name text not null,
  at bigint not null,
  primary key (message_id, emoji_id, user_id)
);

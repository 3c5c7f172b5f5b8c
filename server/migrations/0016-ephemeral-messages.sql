-- What was said to one person alone. No channel keeps it: it lies here for as long as its event can be replayed, so that a
-- repeated send finds the first one and a pressed button its author.

create table quiet_message (
  -- Of its own, or of the message that this person was shown other words of.
  id uuid not null,
  target_id bigint not null,
  guild_id bigint not null,
  channel_id bigint not null,
  author_id bigint not null,
  nonce text not null default '',
  -- The JSON of cards, for their buttons; of everything else nothing is kept.
  cards text not null default '',
  at bigint not null,
  primary key (id, target_id)
);
create unique index quiet_message_nonce on quiet_message (channel_id, author_id, target_id, nonce) where nonce <> '';
create index quiet_message_at on quiet_message (at);

-- Where newcomers are welcomed; null: nowhere.
alter table guild add column welcome_channel_id bigint;

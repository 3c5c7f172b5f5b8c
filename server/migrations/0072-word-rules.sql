-- Word rules, messages that wait for staff, and what the review service says of pictures. Times are ms.

create sequence word_rule_id_seq;
create table word_rule (
  id bigint primary key default nextval('word_rule_id_seq'),
  word text not null,
  action text not null check (action in ('refuse', 'hold')),
  -- Where it applies, see `wire/src/staff/words.ts`.
  places text[] not null,
  note text not null default '',
  -- Who changed it last: an id, or `operator`.
  changed_by text not null,
  created_at bigint not null,
  updated_at bigint not null
);
create unique index word_rule_word on word_rule (word text_pattern_ops);

-- Raised with every change, so that nodes see in one row whether theirs are the present rules.
create table word_list (
  id boolean primary key default true check (id),
  version bigint not null default 0
);
insert into word_list default values;

create sequence held_content_id_seq;
create table held_content (
  id bigint primary key default nextval('held_content_id_seq'),
  author_id bigint not null references "user",
  -- Of a message to a channel; null in a private conversation.
  guild_id bigint references guild,
  channel_id bigint references channel,
  -- Of a private conversation.
  target_id bigint references "user",
  -- The channel's id, or the conversation's code.
  conversation text not null,
  nonce text not null,
  -- What sending it needs.
  input jsonb not null,
  why jsonb not null,
  -- 0 waits for staff, 1 passed and was sent, 2 rejected.
  status integer not null default 0 check (status between 0 and 2),
  reason text not null default '',
  message_id uuid,
  created_at bigint not null,
  decided_at bigint,
  decided_by text,
  check ((channel_id is null) = (target_id is not null) and (channel_id is null) = (guild_id is null))
);
create unique index held_content_nonce on held_content (author_id, nonce, conversation);
create index held_content_queue on held_content (id) where status = 0;
create index held_content_decided on held_content (decided_at) where status <> 0;
create index held_content_guild on held_content (guild_id);
create index held_content_channel on held_content (channel_id);
create index held_content_target on held_content (target_id);

-- Pictures of which the review service is not sure: messages that show them wait for staff.
alter table asset add column is_doubtful boolean not null default false;

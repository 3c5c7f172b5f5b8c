-- Friendships and requests: one row for two people, so that requests that cross meet.
create sequence friendship_id_seq as integer;
create table friendship (
  id integer primary key default nextval('friendship_id_seq'),
  low_id bigint not null references "user",
  high_id bigint not null references "user",
  -- Who asked.
  user_id bigint not null,
  created_at bigint not null,
  -- Null: a request.
  accepted_at bigint,
  check (low_id < high_id),
  check (user_id in (low_id, high_id)),
  unique (low_id, high_id)
);
create index friendship_high on friendship (high_id);

create table friend_block (
  id integer primary key default nextval('friendship_id_seq'),
  user_id bigint not null references "user",
  target_id bigint not null references "user",
  created_at bigint not null,
  unique (user_id, target_id)
);
create index friend_block_target on friend_block (target_id);

-- Who someone is and how they prove it: accounts, passwords, sessions, verification codes, attempt limits, generated keys.
-- Times are milliseconds since 1970, so that the server's clock and the wire speak the same.

-- User ids stay inside uint32 (protocol.md §1.7) and leave the low numbers to the system: 1 writes system events.
create sequence user_id_seq start 100000001 maxvalue 4294967295;

create table "user" (
  id bigint primary key default nextval('user_id_seq') check (id between 1 and 4294967295),
  username text not null check (char_length(username) between 1 and 30),
  identify_num text not null check (identify_num ~ '^\d{4,10}$'),
  avatar text not null default '',
  vip_avatar text not null default '',
  is_vip boolean not null default false,
  bot boolean not null default false,
  -- 0 or 1 normal, 10 banned. protocol.md §5.1.
  status integer not null default 0,
  mobile_prefix text not null default '',
  mobile text not null default '',
  mobile_verified boolean not null default false,
  created_at bigint not null,
  unique (username, identify_num)
);
create unique index user_mobile on "user" (mobile_prefix, mobile) where mobile <> '';

create table credential (
  user_id bigint primary key references "user" on delete cascade,
  -- argon2id with its parameters and salt: $argon2id$v=19$m=…,t=…,p=…$salt$hash
  password_hash text not null,
  changed_at bigint not null
);

create table session (
  id uuid primary key,
  -- SHA-256 of the token: a copy of this table opens no account.
  token_hash bytea not null unique,
  user_id bigint not null references "user" on delete cascade,
  -- False: it lapses after a day without use.
  remember boolean not null,
  created_at bigint not null,
  -- Coarse: written at most once an hour.
  seen_at bigint not null,
  revoked_at bigint
);
create index session_of_user on session (user_id) where revoked_at is null;

-- One live code per number; a new one replaces it.
create table phone_code (
  mobile_prefix text not null,
  mobile text not null,
  code_hash bytea not null,
  type text not null,
  tries integer not null default 0,
  sent_at bigint not null,
  expires_at bigint not null,
  used_at bigint,
  primary key (mobile_prefix, mobile)
);

-- How often something was tried since started_at, by whom or what: limits that a restart does not forget.
create table attempt (
  name text not null,
  key text not null,
  started_at bigint not null,
  spent integer not null,
  primary key (name, key)
);
create index attempt_age on attempt (started_at);

-- Keys generated on first use. None is shipped.
create table secret (
  name text primary key,
  value bytea not null
);

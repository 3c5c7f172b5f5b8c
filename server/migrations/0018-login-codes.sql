-- Codes by number and by who asked, so that a stranger's request leaves the owner's code as it is. phone_code stays for
-- nodes of the version before; its codes live ten minutes. A later migration drops it.
create table login_code (
  mobile_prefix text not null,
  mobile text not null,
  -- Keyed hash of the network place that asked.
  asker bytea not null,
  code_hash bytea not null,
  type text not null,
  -- Wrong tries from other places.
  strange_tries integer not null default 0,
  sent_at bigint not null,
  expires_at bigint not null,
  used_at bigint,
  primary key (mobile_prefix, mobile, asker)
);

-- Keyed hash of the network place of the login. Where somebody is logged in, strangers' tries do not count against them.
alter table session add column place_hash bytea;
create index session_of_place on session (user_id, place_hash) where place_hash is not null;

-- Acts of staff that wait for somebody else, and how much value staff made on a day. Times are ms, money is in fen.

create sequence staff_approval_id_seq;
create table staff_approval (
  id bigint primary key default nextval('staff_approval_id_seq'),
  kind text not null check (kind in ('codes', 'buff', 'change', 'withdrawal', 'guild')),
  why text not null check (why in ('value', 'day', 'price', 'owner')),
  -- Who wants it. No foreign key: the row stays as it is.
  actor bigint not null,
  reason text not null,
  -- What the act is done with, as its rule takes it.
  input jsonb not null,
  -- What it would do, as it was last shown.
  facts jsonb not null,
  created_at bigint not null,
  expires_at bigint not null,
  -- One that waits beyond its end is over, by the clock where it is read.
  state text not null default 'waiting' check (state in ('waiting', 'approved', 'rejected')),
  -- The failure of the last try to do it.
  failure text not null default '',
  -- An id, or `operator`.
  decided_by text not null default '',
  decided_at bigint,
  decided_why text not null default '',
  check ((state = 'waiting') = (decided_at is null)),
  check (decided_by <> actor::text)
);
create index staff_approval_waiting on staff_approval (id) where state = 'waiting';
create index staff_approval_rejected on staff_approval (decided_at) where state = 'rejected';

-- By the number of the day of Beijing.
create table staff_value (
  day integer primary key,
  fen bigint not null check (fen >= 0)
);

-- Who approved what another one of staff made; null: it needed nobody.
alter table coupon_batch add column approved_by text;
alter table product_change add column approved_by text;

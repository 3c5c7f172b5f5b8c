-- What is sold, orders, payments, refunds, and the ledger that explains every fen. Money is in fen, times are ms.

create sequence product_id_seq as integer start 1001;
create table product (
  id integer primary key default nextval('product_id_seq'),
  -- Which noun grants it.
  kind text not null,
  name text not null check (char_length(name) between 1 and 60),
  price bigint not null check (price > 0),
  -- 0: there is no price before a discount.
  origin_price bigint not null default 0 check (origin_price >= 0),
  discount_label text not null default '',
  buy_tip text not null default '',
  market integer not null default 0 check (market in (0, 1)),
  group_id integer not null default 0,
  period_buy boolean not null default false,
  -- What one of it grants, as its kind reads it.
  details jsonb not null,
  -- Products are listed by place, then by id.
  place integer not null default 0,
  created_at bigint not null,
  -- Null: on sale.
  retired_at bigint
);

create sequence order_id_seq start 100000000001;
create table "order" (
  id bigint primary key default nextval('order_id_seq'),
  -- Who has it may pay the order.
  code text not null unique check (code ~ '^[0-9a-f]{32}$'),
  user_id bigint not null references "user",
  -- The client's, so that placing is idempotent; what was asked for with it.
  key text not null,
  request text not null,
  -- Who receives it, when that is not the buyer; the guild that it is for.
  receiver_id bigint references "user",
  guild_id bigint references guild,
  state text not null check (state in ('placed', 'paying', 'paid', 'granted', 'closed', 'refunding', 'refunded', 'stuck')),
  pay_fee bigint not null check (pay_fee > 0),
  -- What went back of the payment that counts.
  refund_fee bigint not null default 0 check (refund_fee between 0 and pay_fee),
  -- Whether the receiver has what was bought.
  is_granted boolean not null default false,
  grant_tries integer not null default 0,
  created_at bigint not null,
  expires_at bigint not null,
  unique (user_id, key)
);
create index order_bill on "order" (user_id, id);
-- Those that somebody must still drive to an end.
create index order_open on "order" (expires_at) where state in ('placed', 'paying', 'paid', 'refunding');
create index order_stuck on "order" (id) where state = 'stuck';

create table order_line (
  order_id bigint not null references "order",
  place integer not null,
  product_id integer not null references product,
  -- As it was when the order was placed.
  kind text not null,
  name text not null,
  count integer not null check (count > 0),
  price bigint not null check (price > 0),
  details jsonb not null,
  primary key (order_id, place)
);

-- Every step of every order: who, when, why.
create sequence order_step_id_seq;
create table order_step (
  id bigint primary key default nextval('order_step_id_seq'),
  order_id bigint not null references "order",
  step text not null,
  from_state text not null,
  to_state text not null,
  actor text not null,
  note text not null default '',
  at bigint not null
);
create index order_step_order on order_step (order_id, id);

create sequence payment_id_seq;
create table payment (
  id bigint primary key default nextval('payment_id_seq'),
  -- Our number at the provider.
  trade_no text not null unique check (trade_no ~ '^[0-9A-Z]{6,32}$'),
  order_id bigint not null references "order",
  way text not null check (way in ('wechat', 'alipay')),
  scene text not null,
  fee bigint not null check (fee > 0),
  state text not null check (state in ('begun', 'paid', 'closed')),
  -- The payment that counts for its order; false: it goes back as a whole.
  is_main boolean not null default false,
  -- The provider's number.
  provider_no text,
  created_at bigint not null,
  paid_at bigint,
  -- When the provider is asked next.
  next_query_at bigint not null,
  queries integer not null default 0,
  check ((state = 'paid') = (provider_no is not null)),
  check ((state = 'paid') = (paid_at is not null)),
  unique (way, provider_no)
);
create index payment_order on payment (order_id);
create unique index payment_main on payment (order_id) where is_main;
create index payment_begun on payment (next_query_at) where state = 'begun';

create sequence refund_id_seq;
create table refund (
  id bigint primary key default nextval('refund_id_seq'),
  refund_no text not null unique check (refund_no ~ '^[0-9A-Z]{6,64}$'),
  order_id bigint not null references "order",
  payment_id bigint not null references payment,
  fee bigint not null check (fee > 0),
  cause text not null check (cause in ('late', 'twice', 'failed', 'staff')),
  reason text not null,
  actor text not null,
  state text not null check (state in ('waiting', 'done', 'stuck')),
  provider_refund_no text,
  why text,
  created_at bigint not null,
  done_at bigint,
  next_try_at bigint not null,
  tries integer not null default 0,
  check ((state = 'done') = (done_at is not null))
);
create index refund_order on refund (order_id);
create index refund_payment on refund (payment_id);
create index refund_waiting on refund (next_try_at) where state = 'waiting';

-- What a provider said that does not fit: kept for a person, never granted.
create sequence pay_doubt_id_seq;
create table pay_doubt (
  id bigint primary key default nextval('pay_doubt_id_seq'),
  way text not null,
  why text not null,
  trade_no text not null,
  provider_no text not null,
  facts jsonb not null,
  times integer not null default 1,
  at bigint not null,
  unique (way, why, trade_no, provider_no)
);

-- The ledger: double entry. Debits are positive, credits negative; every entry sums to zero.
create table ledger_account (
  name text primary key,
  kind text not null check (kind in ('asset', 'liability', 'income', 'expense'))
);
create sequence ledger_entry_id_seq;
create table ledger_entry (
  id bigint primary key default nextval('ledger_entry_id_seq'),
  kind text not null,
  -- What it explains, unique with the kind: nothing is written twice.
  ref text not null,
  order_id bigint references "order",
  at bigint not null,
  unique (kind, ref)
);
create index ledger_entry_order on ledger_entry (order_id);
create index ledger_entry_at on ledger_entry (at, id);
create table ledger_line (
  entry_id bigint not null references ledger_entry,
  account text not null references ledger_account,
  amount bigint not null check (amount <> 0),
  primary key (entry_id, account)
);
create index ledger_line_account on ledger_line (account);

create function ledger_refuses() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only: % on % is refused', tg_op, tg_table_name;
end $$;
create trigger ledger_entry_append_only before update or delete on ledger_entry
  for each row execute function ledger_refuses();
create trigger ledger_line_append_only before update or delete on ledger_line
  for each row execute function ledger_refuses();
create function ledger_balances() returns trigger language plpgsql as $$
declare
  entry bigint;
  total bigint;
begin
  -- The argument names the column that has the entry.
  entry := (to_jsonb(new)->>tg_argv[0])::bigint;
  select sum(amount) into total from ledger_line where entry_id = entry;
  if total is distinct from 0 then
    raise exception 'ledger entry % does not balance: %', entry, total;
  end if;
  return null;
end $$;
create constraint trigger ledger_entry_balances after insert on ledger_entry
  deferrable initially deferred for each row execute function ledger_balances('id');
create constraint trigger ledger_line_balances after insert on ledger_line
  deferrable initially deferred for each row execute function ledger_balances('entry_id');

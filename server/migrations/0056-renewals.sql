-- Contracts by which the next period of something is charged, and what became of each period. Money is in fen, times are ms.

create sequence renewal_id_seq;
create table renewal (
  id bigint primary key default nextval('renewal_id_seq'),
  -- Our number of the contract at its provider.
  code text not null unique check (code ~ '^[0-9A-Za-z._-]{6,64}$'),
  user_id bigint not null references "user",
  product_id integer not null references product,
  -- As they were when the contract was begun: which noun grants it, its name, what one of it grants, and the sum that was agreed.
  kind text not null,
  name text not null,
  details jsonb not null,
  fee bigint not null check (fee >= 0),
  way text not null check (way in ('wechat', 'alipay', 'apple')),
  state text not null check (state in ('signing', 'active', 'ended')),
  -- The purchase that the contract begins with; null: it was made elsewhere.
  order_id bigint references "order",
  -- That purchase is charged once the contract is signed; else it is paid while signing.
  is_charged_first boolean not null,
  -- The provider's number of the contract, and the application that it was signed through.
  provider_no text,
  app text,
  created_at bigint not null,
  signed_at bigint,
  ended_at bigint,
  -- The provider has still to be told that it is over.
  is_end_due boolean not null default false,
  -- Apple tells until when its subscription lasts, and when it signed that.
  lasts_until bigint,
  told_at bigint,
  -- When somebody looks at it next.
  next_at bigint not null,
  check (state <> 'active' or (provider_no is not null and signed_at is not null)),
  check ((state = 'ended') = (ended_at is not null)),
  unique (way, provider_no)
);
create index renewal_user on renewal (user_id, id);
create index renewal_order on renewal (order_id);
-- Nobody is charged twice for the same thing.
create unique index renewal_active on renewal (user_id, kind) where state = 'active' and way <> 'apple';
create index renewal_due on renewal (way, next_at) where state <> 'ended' or is_end_due;

-- A period that is renewed, by the time it ends.
create sequence renewal_cycle_id_seq;
create table renewal_cycle (
  id bigint primary key default nextval('renewal_cycle_id_seq'),
  renewal_id bigint not null references renewal,
  ends_at bigint not null,
  -- What was announced; no more is charged.
  fee bigint not null check (fee > 0),
  announced_at bigint,
  -- The last attempt of what is to be done next.
  tried_at bigint,
  tries integer not null default 0,
  -- The purchase of the next period.
  order_id bigint unique references "order",
  -- Null: it is still to be done; `notice`, `charge`: that failed, and nothing was taken.
  outcome text check (outcome in ('charged', 'notice', 'charge')),
  unique (renewal_id, ends_at)
);

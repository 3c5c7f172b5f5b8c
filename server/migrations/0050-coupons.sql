-- Redeem codes. A code is kept as its hash; it is shown once, when it is made.

create sequence coupon_batch_id_seq;
create table coupon_batch (
  id bigint primary key default nextval('coupon_batch_id_seq'),
  product_id integer not null references product,
  count integer not null check (count > 0),
  -- How many codes of the batch one person may use.
  per_user integer not null check (per_user > 0),
  -- Null: it does not end.
  expires_at bigint,
  created_at bigint not null,
  actor text not null
);

create sequence coupon_id_seq;
create table coupon (
  id bigint primary key default nextval('coupon_id_seq'),
  batch_id bigint not null references coupon_batch,
  hash bytea not null unique,
  used_by bigint references "user",
  used_at bigint,
  check ((used_by is null) = (used_at is null))
);
create index coupon_user on coupon (used_by, batch_id) where used_by is not null;
create index coupon_batch_used on coupon (batch_id) where used_by is not null;

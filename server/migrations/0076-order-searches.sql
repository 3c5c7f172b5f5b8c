-- What staff need of orders and products: look-ups by any number, differences of bills that are kept, and changes of products with
-- who made them, and from when they are valid. Money is in fen, times are ms.

create index order_receiver on "order" (receiver_id, id) where receiver_id is not null;
create index order_guild on "order" (guild_id, id) where guild_id is not null;
create index order_state on "order" (state, id);
create index order_line_kind on order_line (kind, order_id);
create index payment_paid on payment (paid_at) where paid_at is not null;
create index refund_done on refund (done_at) where done_at is not null;
create index refund_stuck on refund (order_id) where state = 'stuck';
create index refund_provider on refund (provider_refund_no) where provider_refund_no is not null;
create index pay_doubt_trade on pay_doubt (trade_no);
create index pay_doubt_provider on pay_doubt (provider_no);

-- How a bill and the ledger differed when they were last held beside each other.
create sequence bill_difference_id_seq;
create table bill_difference (
  id bigint primary key default nextval('bill_difference_id_seq'),
  way text not null check (way in ('wechat', 'alipay')),
  -- `YYYY-MM-DD`, of Beijing.
  day text not null,
  what text not null check (what in ('unknown_here', 'unknown_there', 'other_sum')),
  kind text not null check (kind in ('payment', 'refund')),
  trade_no text not null,
  -- Of a refund: ours; empty for a payment.
  refund_no text not null,
  provider_no text not null default '',
  -- Null: it is not there.
  there bigint,
  here bigint,
  found_at bigint not null,
  unique (way, day, kind, trade_no, refund_no)
);
create index bill_difference_day on bill_difference (day, id);
-- When the differences of a day were last looked for; null: they have to be looked for.
alter table bill_day add column looked_at bigint;

-- What was changed of products, or will be: a product is what its row says, and then each change that is valid by now.
create sequence product_change_id_seq;
create table product_change (
  id bigint primary key default nextval('product_change_id_seq'),
  product_id integer not null references product,
  -- The columns of `product` that change, with their new values.
  fields jsonb not null check (jsonb_typeof(fields) = 'object'),
  valid_from bigint not null,
  at bigint not null,
  -- An id, or `operator`.
  actor text not null,
  reason text not null
);
create index product_change_product on product_change (product_id, valid_from, id);
-- Changes that were taken back before they became valid.
create table product_withdrawal (
  change_id bigint primary key references product_change,
  at bigint not null,
  actor text not null,
  reason text not null
);
-- How products came to be what they are before there was a history.
insert into product_change (product_id, fields, valid_from, at, actor, reason)
  select id, jsonb_build_object('name', name, 'price', price, 'origin_price', origin_price, 'discount_label', discount_label,
    'buy_tip', buy_tip, 'retired_at', null), created_at, created_at, 'operator', ''
  from product order by id;
insert into product_change (product_id, fields, valid_from, at, actor, reason)
  select id, jsonb_build_object('retired_at', retired_at), retired_at, retired_at, 'operator', ''
  from product where retired_at is not null order by id;

create function product_history_refuses() returns trigger language plpgsql as $$
begin
  raise exception 'the history of products is append-only: % on % is refused', tg_op, tg_table_name;
end $$;
create trigger product_change_append_only before update or delete on product_change
  for each row execute function product_history_refuses();
create trigger product_withdrawal_append_only before update or delete on product_withdrawal
  for each row execute function product_history_refuses();

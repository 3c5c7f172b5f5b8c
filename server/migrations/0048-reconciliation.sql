-- The providers' bills, line by line, beside which the ledger is held. Days are those of Beijing.

create table bill_day (
  way text not null check (way in ('wechat', 'alipay')),
  -- `YYYY-MM-DD`.
  day text not null check (day ~ '^\d{4}-\d\d-\d\d$'),
  compared_at bigint not null,
  lines integer not null,
  primary key (way, day)
);

create table bill_line (
  way text not null,
  day text not null,
  kind text not null check (kind in ('payment', 'refund')),
  trade_no text not null,
  -- Of a refund: ours; empty for a payment.
  refund_no text not null,
  provider_no text not null,
  fee bigint not null check (fee >= 0),
  -- What the provider keeps, negative when it gives it back.
  charge bigint not null,
  at bigint not null,
  primary key (way, day, kind, trade_no, refund_no),
  foreign key (way, day) references bill_day on delete cascade
);
create index bill_line_number on bill_line (way, kind, trade_no, refund_no);

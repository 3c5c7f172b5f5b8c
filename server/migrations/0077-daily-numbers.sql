-- The numbers of the house by day of Beijing, `YYYY-MM-DD`. What is expensive to count is counted once and kept.

-- Who was here on a day. Kept until the day is counted for good; no foreign key, so that recording is cheap.
create table active_day (
  day text not null,
  user_id bigint not null,
  primary key (day, user_id)
);
-- What sessions tell of the days before this table.
insert into active_day (day, user_id)
  select to_char(to_timestamp(moment / 1000.0) at time zone 'Asia/Shanghai', 'YYYY-MM-DD'), session.user_id
  from session join "user" on "user".id = session.user_id and not "user".bot,
    unnest(array[session.created_at, session.seen_at]) as moment
  on conflict do nothing;

create table number_day (
  day text primary key check (day ~ '^\d{4}-\d\d-\d\d$'),
  registrations integer not null default 0,
  active integer not null default 0,
  messages integer not null default 0,
  -- Messages of the day are counted up to this moment, ms.
  messages_until bigint not null,
  orders integer not null default 0,
  paid_orders integer not null default 0,
  -- Received from and given back to buyers, fen.
  gross_wechat bigint not null default 0,
  gross_alipay bigint not null default 0,
  refunds_wechat bigint not null default 0,
  refunds_alipay bigint not null default 0,
  -- 0: not yet.
  counted_at bigint not null default 0,
  -- The day is over, and nothing of it changes any more.
  is_final boolean not null default false
);
create index number_day_open on number_day (day) where not is_final;
create index user_created on "user" (created_at) where not bot;
create index order_created on "order" (created_at);

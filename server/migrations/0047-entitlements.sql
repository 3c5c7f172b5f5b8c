-- What was granted to whom, and until when it lasts. A grant is ended by a refund; its row stays.
create sequence entitlement_id_seq;
create table entitlement (
  id bigint primary key default nextval('entitlement_id_seq'),
  user_id bigint not null references "user",
  kind text not null,
  order_id bigint references "order",
  -- How long it lasts, ms, from its start or from the end of what the person has then.
  length bigint not null check (length > 0),
  granted_at bigint not null,
  -- Null: it counts.
  revoked_at bigint
);
create index entitlement_user on entitlement (user_id, kind);
create unique index entitlement_order on entitlement (order_id, kind);

-- Until when a person has BUFF; 0: never. Whether they have it is judged by the clock where it is read.
alter table "user" add column vip_until bigint not null default 0;
update "user" set vip_until = 32503680000000 where is_vip;
alter table "user" drop column is_vip;

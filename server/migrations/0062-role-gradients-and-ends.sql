-- Gradients of roles, when to tell of what ends, and the official account.

-- The colours of a gradient, from the beginning of a name to its end. Null: a solid colour. Its first is `color` as well.
alter table role add column color_list integer[] check (cardinality(color_list) between 2 and 4);

-- What somebody has of a kind ends at this time at the earliest, and is told of then. Taken when it is told.
create table entitlement_end (
  user_id bigint not null references "user",
  kind text not null,
  at bigint not null,
  primary key (user_id, kind)
);
create index entitlement_end_at on entitlement_end (at);
-- Grants follow each other, so together they end no earlier than each by itself, and no later than their lengths added to the last start.
insert into entitlement_end (user_id, kind, at)
select user_id, kind, max(granted_at + length) from entitlement where revoked_at is null
group by user_id, kind having max(granted_at) + sum(length) > extract(epoch from now()) * 1000;

-- The account that writes in the name of the house. There is one.
alter table "user" add column is_official boolean not null default false;
update "user" set is_official = true where id in (select user_id from house_account);

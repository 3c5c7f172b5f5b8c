-- Batches of codes that staff pause, and who used their codes. Times are ms.

-- Null: its codes are redeemed.
alter table coupon_batch add column paused_at bigint;
-- What it is for, as who made it says.
alter table coupon_batch add column note text not null default '';
-- How many of its codes were used. The database counts, so that the version before counts too.
alter table coupon_batch add column used integer not null default 0;
update coupon_batch it set used = (select count(*) from coupon where batch_id = it.id and used_by is not null);
create function coupon_counted() returns trigger language plpgsql as $$
begin
  update coupon_batch set used = used + 1 where id = new.batch_id;
  return null;
end $$;
create trigger coupon_counted after update of used_by on coupon
  for each row when (old.used_by is null and new.used_by is not null) execute function coupon_counted();
create index coupon_used on coupon (batch_id, used_at, id) where used_by is not null;

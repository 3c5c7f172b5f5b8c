-- Batches of codes that staff pause, and who used their codes. Times are ms.

-- Null: its codes are redeemed.
alter table coupon_batch add column paused_at bigint;
-- What it is for, as who made it says.
alter table coupon_batch add column note text not null default '';
create index coupon_used on coupon (batch_id, used_at, id) where used_by is not null;

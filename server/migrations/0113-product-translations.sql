-- What a product is called in other languages than the default: {"en": {"name": …, "discount_label": …, "buy_tip": …}}.
-- What is missing or empty is read in the default language.
alter table product add column translations jsonb not null default '{}';
-- As they were when the order was placed, or the contract was begun.
alter table order_line add column translations jsonb not null default '{}';
alter table renewal add column translations jsonb not null default '{}';

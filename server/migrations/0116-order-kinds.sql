-- The kinds of an order's lines beside its state, so that staff find orders of a state and a kind in one index: the two have
-- tens of thousands of rows each, and may have none in common. Lines never change.

alter table "order" add column kinds text[] not null default '{}';
update "order" set kinds = of_lines.kinds
  from (select order_id, array_agg(distinct kind order by kind) as kinds from order_line group by order_id) of_lines
  where of_lines.order_id = "order".id;
drop index order_state;
create index order_state on "order" (state, id) include (kinds);

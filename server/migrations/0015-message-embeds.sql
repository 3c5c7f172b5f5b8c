-- What the addresses in a message lead to, found out after it was sent; null until then, and when there is nothing to show.
alter table message add column embeds jsonb;

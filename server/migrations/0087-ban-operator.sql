-- Who banned somebody; null for bans of before.
alter table ban add column operator_id bigint;

-- Who pinned a message, for the list of what is pinned. 0: it is not pinned, or was before anybody wrote it down.
alter table message add column pinned_by bigint not null default 0;

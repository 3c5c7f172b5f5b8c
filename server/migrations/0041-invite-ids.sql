-- Typed clients need a number for each invite (protocol.md §4.12).
create sequence invite_id_seq;
alter table invite add column id bigint not null default nextval('invite_id_seq');
drop index invite_guild;
create index invite_guild on invite (guild_id, created_at desc) where deleted_at is null;

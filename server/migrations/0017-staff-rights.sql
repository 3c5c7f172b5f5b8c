-- What a staff account may do; empty: the account is an ordinary one.
alter table "user" add column staff_rights text[] not null default '{}';

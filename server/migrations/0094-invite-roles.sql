-- The role that those who join by an invite get, if whoever made it could still give it; null: none.
alter table invite add column role_id integer;

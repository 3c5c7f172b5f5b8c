-- The official account, which writes to people what concerns them. It is created when it is first needed.
create table house_account (
  id integer primary key default 1 check (id = 1),
  user_id bigint not null references "user"
);

-- The demo world's people with the passwords generated for this very installation, so that they can be printed again.
create table demo_cast (
  name text primary key,
  user_id bigint not null references "user" on delete cascade,
  password text not null
);

-- Whose bots those are that people made themselves; bots of the command line have no row.
create table bot_owner (
  bot_id bigint primary key references "user" on delete cascade,
  owner_id bigint not null references "user" on delete cascade,
  created_at bigint not null
);
create index bot_owner_owner on bot_owner (owner_id);

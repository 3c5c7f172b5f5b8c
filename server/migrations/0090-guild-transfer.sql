-- A guild that its owner offers to a member who has not answered yet. It ends when that member leaves.
create table guild_transfer (
  guild_id bigint primary key references guild on delete cascade,
  owner_id bigint not null references "user" on delete cascade,
  receiver_id bigint not null references "user" on delete cascade,
  created_at bigint not null,
  foreign key (guild_id, receiver_id) references membership on delete cascade
);
create index guild_transfer_owner on guild_transfer (owner_id);
create index guild_transfer_receiver on guild_transfer (receiver_id);

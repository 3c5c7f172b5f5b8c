-- Who verified their real name. Name and number are sealed with a key that is not in the database.

create table real_name (
  user_id bigint primary key references "user",
  sealed text not null,
  -- A keyed hash of the number, to count the accounts of one card.
  number_hash bytea not null,
  verified_at bigint not null
);
create index real_name_number on real_name (number_hash);

-- What a person noted of another for themselves alone.
create table person_note (
  user_id bigint not null references "user",
  target_id bigint not null references "user",
  content text not null,
  updated_at bigint not null,
  primary key (user_id, target_id)
);
create index person_note_target on person_note (target_id);

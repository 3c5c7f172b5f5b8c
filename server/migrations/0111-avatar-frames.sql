-- The ring around a person's face that they chose, which shows while they have BUFF; empty: none.
alter table "user" add column avatar_frame text not null default '';

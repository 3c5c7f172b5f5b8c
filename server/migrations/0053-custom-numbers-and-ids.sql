-- What the level of a guild and a membership of BUFF bring.

-- The digits that a person chose, shown while they have BUFF; empty: none. They stay theirs when it ends.
alter table "user" add column custom_num text not null default '';
create unique index user_custom_num on "user" (username, custom_num) where custom_num <> '';

-- The short address of a guild, as its people wrote it. Null: none.
alter table guild add column custom_id text;
create unique index guild_custom_id on guild (lower(custom_id));

-- The level that a guild had when its owner deleted it. Null: it is there, or staff closed it.
alter table guild add column deleted_level integer;

drop trigger user_renamed on "user";
create trigger user_renamed after update of username, identify_num, custom_num on "user"
  for each row when (
    (new.username, new.identify_num, new.custom_num) is distinct from (old.username, old.identify_num, old.custom_num))
  execute function user_renamed();

-- The invite that the short address leads to.
alter table guild add column custom_invite text;

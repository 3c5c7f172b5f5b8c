-- How members are found by name: the beginnings people may type, a row each, so that a search is a walk along an index.

create table member_key (
  guild_id bigint not null,
  -- 0: a name begins like this. 1: a name goes on like this from somewhere inside.
  place smallint not null,
  -- Folded (case, width, accents), in characters or in pinyin. Compared byte by byte, so that what begins alike lies together.
  key text collate "C" not null,
  user_id bigint not null,
  primary key (guild_id, place, key, user_id)
);
-- No foreign key: looking up the member for each of a dozen keys costs more than all the rest, and a key without one finds
-- nobody.
create index member_key_member on member_key (user_id, guild_id);

-- False: the keys are of an older name, or not made yet. The server makes them; whoever writes names need not know.
alter table membership add column is_keyed boolean not null default false;
create index membership_unkeyed on membership (guild_id, user_id) where not is_keyed;

create function membership_renamed() returns trigger language plpgsql as $$
begin
  new.is_keyed := false;
  return new;
end $$;
create trigger membership_renamed before update of nickname on membership
  for each row when (new.nickname is distinct from old.nickname) execute function membership_renamed();

create function user_renamed() returns trigger language plpgsql as $$
begin
  update membership set is_keyed = false where user_id = new.id;
  return null;
end $$;
create trigger user_renamed after update of username, identify_num on "user"
  for each row when ((new.username, new.identify_num) is distinct from (old.username, old.identify_num))
  execute function user_renamed();

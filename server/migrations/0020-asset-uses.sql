-- Which messages show which files: a file goes with the last of them, and one that nothing shows goes after a while.

-- When to look whether anything shows it; null: it stays until its message or its emoji goes. Files from before this
-- migration count as used.
alter table asset add column check_at bigint;
create index asset_check on asset (check_at) where check_at is not null;

create table asset_use (
  key text collate "C" not null,
  message_id uuid not null,
  -- Null: a private conversation.
  guild_id bigint,
  -- It is the picture of a page whose address is in the message.
  is_preview boolean not null default false,
  primary key (key, message_id)
);
create index asset_use_message on asset_use (message_id);
create index asset_use_guild on asset_use (key, guild_id);

with shown as (
  select id, guild_id, false as is_preview, content || coalesce(attachments::text, '') as words
  from message where deleted_at is null and kind in ('image', 'file', 'video', 'voice', 'card')
  union all
  select id, guild_id, true, embeds::text from message where deleted_at is null and embeds is not null
  union all
  select id, null, false, content || coalesce(attachments::text, '')
  from private_message where deleted_at is null and kind in ('image', 'file', 'video', 'voice', 'card')
)
insert into asset_use (key, message_id, guild_id, is_preview)
select asset.key, shown.id, shown.guild_id, bool_and(is_preview)
from shown
cross join lateral regexp_matches(words,
  '/((?:assets/\d{4}-\d{2}|attachments/\d{4}-\d{2}/\d{2})/\w{8,16}(?:\.\w{1,10})?)', 'g') found
join asset on asset.key = found[1]
where words like '%/assets/%' or words like '%/attachments/%'
group by asset.key, shown.id, shown.guild_id;

-- Which channels show which files: those of channels that not everybody may view open by signed addresses alone.

-- Null: a private conversation, evidence, or noted by the version before.
alter table asset_use add column channel_id bigint;
update asset_use set channel_id = message.channel_id
from message where message.id = asset_use.message_id and asset_use.guild_id is not null;
create index asset_use_channel on asset_use (key, channel_id);
create index asset_use_unknown on asset_use (key) where guild_id is not null and channel_id is null;

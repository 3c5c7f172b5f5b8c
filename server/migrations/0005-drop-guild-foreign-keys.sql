-- Two checks fewer for each message: its guild is its channel's, and a logged event's guild has the counter that
-- numbered it. Guilds are marked as deleted and never removed, so nothing is left behind.
alter table message drop constraint message_guild_id_fkey;
alter table event_log drop constraint event_log_guild_id_fkey;

-- Channels and categories that a rule leaves alone, and what the author of a stopped message reads instead of
-- the general words (empty: those). `looks_for` has further fields: guilds, guilds_are, action, conditions,
-- limit_time.
alter table guild_rule add column exempt_channels bigint[] not null default '{}';
alter table guild_rule add column message text not null default '';

-- Accounts that were deleted and guilds that were closed, and the index by which somebody's own messages are found.

-- When the account was deleted, ms. Its row stays, under a name that names nobody, because messages refer to it.
alter table "user" add column deleted_at bigint;

-- When staff closed the guild, ms. It counts as deleted (`deleted_at`) meanwhile, and can be restored for a time.
alter table guild add column closed_at bigint;

create index message_author on message (author_id, id) where deleted_at is null;
create index private_message_author on private_message (author_id, id) where deleted_at is null;

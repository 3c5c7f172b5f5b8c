-- Files people sent, and what a message carries of one.

create table asset (
  -- The path of its address, without the first slash.
  key text collate "C" primary key check (key ~ '^[a-z]+/[0-9/-]+/\w+(\.\w+)?$'),
  user_id bigint not null references "user",
  -- What it is to a room, by its content.
  kind text not null check (kind in ('image', 'video', 'audio', 'file')),
  mime text not null,
  -- What its sender calls it.
  name text not null,
  size bigint not null check (size >= 0),
  sha256 bytea not null,
  width integer check (width > 0),
  height integer check (height > 0),
  duration_ms integer check (duration_ms >= 0),
  created_at bigint not null
);
create index asset_user on asset (user_id, created_at);

-- A file is on its way into storage. Its asset replaces this row; one that stays is what a killed process left
-- behind, and its object goes with it.
create table asset_arrival (
  key text collate "C" primary key,
  started_at bigint not null,
  -- The object is being removed: whoever still brings it comes too late.
  given_up boolean not null default false
);
create index asset_arrival_age on asset_arrival (started_at);

-- What an image, file, video or voice message says about its file. Null for all others.
alter table message add column attachments jsonb;

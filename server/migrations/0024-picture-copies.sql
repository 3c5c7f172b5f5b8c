-- Smaller copies of pictures, kept beside the original, and a placeholder to draw before any of them has arrived.

-- [{"side": 400, "bytes": 21034, "sha256": "…"}], smallest first; side: of its long side at most, px.
alter table asset add column copies jsonb not null default '[]';
-- A ThumbHash, base64; null: no picture, or one from before this migration.
alter table asset add column thumbhash text;

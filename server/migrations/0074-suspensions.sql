-- Suspensions with a reason and an end, and the searches of the staff console. Times are ms.

-- While status is 10: until when, null: until it is lifted; and why. Whether it is over is judged by the clock where it is read.
alter table "user" add column suspended_until bigint;
alter table "user" add column suspended_reason text not null default '';
create index user_suspension_end on "user" (suspended_until) where status = 10 and suspended_until is not null;

-- Names by how they begin, without regard to case, in the order of their bytes: a page of one beginning is one range.
create index user_name_start on "user" (lower(username) collate "C", id) where deleted_at is null;
create index guild_name_start on guild (lower(name) collate "C", id);
create index guild_owner on guild (user_id, id);

-- The staff console: roles, sessions of their own, and a log that is only added to. Times are ms.

-- A set of rights by name, see `wire/src/staff/roles.ts`; empty: only what is granted by itself.
alter table "user" add column staff_role text not null default '';

-- Logins to the console. A session without a row here reaches no call of staff.
create table staff_session (
  session_id uuid primary key references session (id) on delete cascade,
  opened_at bigint not null,
  -- To half a minute.
  used_at bigint not null
);

create sequence staff_log_id_seq;
create table staff_log (
  id bigint primary key default nextval('staff_log_id_seq'),
  at bigint not null,
  -- An id, or `operator`.
  actor text not null,
  session_id uuid,
  place text not null default '',
  kind text not null check (kind in ('login', 'call', 'act', 'refused')),
  -- The call without its prefix, or the name of the act.
  name text not null,
  -- Whom it concerns. No foreign key: the row stays as it is.
  user_id bigint,
  target text not null default '',
  detail jsonb not null default '{}'
);
create index staff_log_actor on staff_log (actor, id);
create index staff_log_user on staff_log (user_id, id) where user_id is not null;

create function staff_log_refuses() returns trigger language plpgsql as $$
begin
  raise exception 'the staff log is append-only: % is refused', tg_op;
end $$;
create trigger staff_log_append_only before update or delete on staff_log
  for each row execute function staff_log_refuses();

-- The secret of the authenticator of a person of the demo world whose account has a second factor.
alter table demo_cast add column second_factor text not null default '';

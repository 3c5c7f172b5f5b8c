-- What matters for security: logins, refusals, ends of sessions, acts of operators and staff. No numbers, codes, tokens or words.

create table security_event (
  id bigserial primary key,
  at bigint not null,
  kind text not null,
  -- Who acted: `operator`, or the id of a staff account; empty: the person themselves, or a guest.
  actor text not null default '',
  -- Whom it concerns. No foreign key, so that recording is cheap.
  user_id bigint,
  session_id uuid,
  -- The network it came from, as rate limits count it.
  place text not null default '',
  -- The name in the catalogue of failures; empty: it was done.
  failure text not null default '',
  -- Ids of what was acted on.
  target text not null default '',
  -- Equal refusals within a minute are one row.
  times integer not null default 1
);
create index security_event_user on security_event (user_id, id) where user_id is not null;
create index security_event_at on security_event (at);

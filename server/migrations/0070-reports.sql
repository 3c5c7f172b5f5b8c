-- What members report to staff: a message, a person, a guild. Times are ms.

-- The reports on one target that are open at the same time.
create sequence report_case_id_seq;
create table report_case (
  id bigint primary key default nextval('report_case_id_seq'),
  kind text not null check (kind in ('message', 'user', 'guild')),
  -- The id of the message, the person or the guild. No foreign key: the target may go.
  target_id text not null,
  -- What the first report called it.
  name text not null,
  -- Who is concerned: the author, the person, the owner of the guild.
  user_id bigint not null,
  -- Null: a person, or a message of a private conversation.
  guild_id bigint,
  state text not null default 'open' check (state in ('open', 'dismissed', 'acted')),
  -- How many reports it has, and how many for what. They stay when the reports go.
  reports integer not null default 0,
  categories jsonb not null default '{}',
  opened_at bigint not null,
  reported_at bigint not null,
  decided_at bigint,
  decided_by text not null default '',
  reason text not null default '',
  -- When the reports and what they were made with were deleted.
  emptied_at bigint,
  check ((state = 'open') = (decided_at is null))
);
create unique index report_case_open on report_case (kind, target_id) where state = 'open';
create index report_case_queue on report_case (id) where state = 'open';
create index report_case_state on report_case (state, id);
create index report_case_user on report_case (user_id, id);
create index report_case_guild on report_case (guild_id, id) where guild_id is not null;
create index report_case_due on report_case (decided_at) where emptied_at is null and decided_at is not null;

-- The target as it was when it was reported. A further one only when it was changed since.
create table report_evidence (
  -- A UUID: it holds files as a message does, see asset_use.
  id uuid primary key,
  case_id bigint not null references report_case,
  at bigint not null,
  -- Of the target alone, by which a change is recognised.
  digest text not null,
  seen jsonb not null
);
create index report_evidence_case on report_evidence (case_id, at);

create sequence report_id_seq;
create table report (
  id bigint primary key default nextval('report_id_seq'),
  case_id bigint not null references report_case,
  reporter_id bigint not null references "user",
  category text not null,
  words text not null,
  evidence_id uuid not null references report_evidence,
  at bigint not null,
  -- When they were told that it was decided.
  told_at bigint,
  unique (case_id, reporter_id)
);
create index report_reporter on report (reporter_id);
create index report_evidence_id on report (evidence_id);

-- The use keeps a file for staff: its author's account, message and picture may go meanwhile.
alter table asset_use add column is_evidence boolean not null default false;

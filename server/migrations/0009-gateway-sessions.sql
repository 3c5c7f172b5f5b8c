-- What each node handed to its lines and in which order, so that any node can take a line up where it was lost, also
-- when the node that held it is gone. Rows live for minutes.

create table line_node (
  id uuid primary key,
  -- When it last wrote here, ms.
  seen_at bigint not null
);

-- A page of a node's journal: ranges of event numbers in the order they went to its lines.
create table line_journal (
  node_id uuid not null,
  no bigint not null,
  at bigint not null,
  topics text[] not null,
  froms bigint[] not null,
  tos bigint[] not null,
  primary key (node_id, no)
);

-- The last event of a topic that a node's journal knows of.
create table line_place (
  node_id uuid not null,
  topic text not null,
  seq bigint not null,
  primary key (node_id, topic)
) with (fillfactor = 70);

create table line_session (
  id uuid primary key,
  -- Who holds it now.
  node_id uuid not null,
  user_id bigint not null,
  login_id text not null,
  compress boolean not null,
  -- Guilds it may have heard of.
  guilds bigint[] not null,
  -- Whose journal the numbers below are about: a node that has just taken it over has not written any yet.
  journal_id uuid not null,
  -- After page `no` its last serial number was `sn`; the journal knows of it from page `first_no` on.
  sn bigint not null,
  no bigint not null,
  first_no bigint not null,
  -- When its socket went; null: it has one.
  lost_at bigint
) with (fillfactor = 70);
create index line_session_node on line_session (node_id);

-- Errors of pages, scrubbed before they are stored: no tokens, query values, numbers or words of people. Bounded by housekeeping.
create table client_log (
  id bigserial primary key,
  at bigint not null,
  -- Who was logged in, by the session; null: a guest. No foreign key, so that recording is cheap.
  user_id bigint,
  -- The same for equal errors: of their name, words and first frame.
  signature text not null,
  location text not null,
  filename text not null,
  name text not null,
  message text not null,
  stack text not null
);
create index client_log_at on client_log (at);
create index client_log_signature on client_log (signature, id);

-- The code with which somebody invites others to the product.
create table referral_code (
  user_id bigint primary key references "user" on delete cascade,
  code text not null unique,
  created_at bigint not null
);

-- How an account came to be. One row per account, so that nobody is credited twice for it.
create table referral (
  user_id bigint primary key references "user" on delete cascade,
  -- Who is credited; null: nobody.
  inviter_id bigint references "user" on delete set null,
  -- By what: `user`, a code of a person; `guild`, an invite into a guild; empty without an inviter.
  via text not null default '',
  -- What the client said where its user came from, 0 to 6; null: it said nothing. chat.md §3.
  source smallint,
  created_at bigint not null,
  credited_at bigint,
  check (inviter_id <> user_id)
);
create index referral_of_inviter on referral (inviter_id) where inviter_id is not null;

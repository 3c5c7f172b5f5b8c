-- Challenges that were answered and passes that were used, so that none counts twice. Those that nobody answers leave nothing.
create table captcha_used (
  id uuid primary key,
  -- From then on it would be refused anyway.
  expires_at bigint not null
);
create index captcha_used_expires on captcha_used (expires_at);

-- Accounts at QQ and WeChat that log a user in. One account belongs to one user, who has one at each provider.
create table third_party (
  provider text not null check (provider in ('qq', 'weixin')),
  -- The account as this application sees it, and as all of the operator's do, where the provider tells.
  openid text not null,
  unionid text,
  user_id bigint not null references "user" (id),
  created_at bigint not null,
  primary key (provider, openid),
  unique (user_id, provider)
);
create unique index third_party_unionid on third_party (provider, unionid) where unionid is not null;

-- Logins that came back and bind info that was used, so that none counts twice.
create table third_party_used (
  id uuid primary key,
  -- From then on it would be refused anyway.
  expires_at bigint not null
);
create index third_party_used_expires on third_party_used (expires_at);

-- What a provider grants this installation for a while: the access token and the ticket of WeChat's JS-SDK. One node renews
-- a value for all: the one whose lease is not over.
create table provider_grant (
  name text primary key,
  value text not null default '',
  expires_at bigint not null default 0,
  renewing_until bigint not null default 0
);

-- An account shows the picture: it stays when no message does.
alter table asset add column is_face boolean not null default false;

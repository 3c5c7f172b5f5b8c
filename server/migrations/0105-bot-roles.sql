-- The role that was made for a bot goes with it. Those of bots that came before are not known, and stay.
alter table role add column made_for bigint references "user";
create index role_made_for on role (made_for) where made_for is not null;

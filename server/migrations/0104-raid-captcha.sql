-- While a raid is on, whoever joins may have to solve a captcha first.
alter table guild add column pause_asks_captcha boolean not null default false;

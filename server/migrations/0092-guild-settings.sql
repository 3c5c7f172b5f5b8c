-- Words below the line that welcomes a newcomer, and what members are notified of who set nothing: 1 all
-- messages, 2 mentions, 3 nothing.
alter table guild add column welcome_words text not null default '';
alter table guild add column notify_type integer not null default 1 check (notify_type between 1 and 3);

-- A session of the staff console opens nothing but the console.
alter table session add column is_console boolean not null default false;
update session set is_console = true where id in (select session_id from staff_session);

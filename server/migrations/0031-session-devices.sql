-- What a session's owner recognises it by. The address is kept in part, so that the table does not tell where somebody was.
alter table session add column device_os text;
alter table session add column device_app text;
alter table session add column network text;

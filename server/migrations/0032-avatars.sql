-- An account shows the file, whether or not a message does: it is neither deleted with a message nor private.
alter table asset add column is_avatar boolean not null default false;
update asset set is_avatar = true
where key in (select substring(avatar from '(assets/[0-9]{4}-[0-9]{2}/[^/?]+)$') from "user" where avatar <> '');

-- The staff log by an actor or by a name, each with the kinds apart: so what is rare, or is not there, is found without reading the rows
-- of others. The columns beside the keys are filtered without reading rows.
create index staff_log_actor_kind on staff_log (actor, kind, id) include (name);
create index staff_log_name_kind on staff_log (name, kind, id) include (actor);
-- Its order is that of the first of the two, without the kinds.
drop index staff_log_actor;

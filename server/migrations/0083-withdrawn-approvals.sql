-- Who asked for an act that waits may take it back. They still decide nothing else.

alter table staff_approval
  drop constraint staff_approval_state_check,
  add constraint staff_approval_state_check check (state in ('waiting', 'approved', 'rejected', 'withdrawn')),
  drop constraint staff_approval_check1,
  add constraint staff_approval_decided_by_check check ((state = 'withdrawn') = (decided_by = actor::text));

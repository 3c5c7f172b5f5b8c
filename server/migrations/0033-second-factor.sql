-- The second factor of people who have turned one on.
create table second_factor (
  user_id bigint primary key references "user" (id),
  -- Sealed with a key of this installation.
  secret text not null,
  created_at bigint not null,
  -- The half minutes whose codes were used last: each counts once, also after the clock was set back.
  used_steps int[] not null,
  -- Keyed hashes of the recovery codes that are left.
  recovery bytea[] not null
);

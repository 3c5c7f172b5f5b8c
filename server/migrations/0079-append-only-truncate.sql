-- What is append-only refuses truncate too, which fires no trigger of rows.
create trigger ledger_entry_no_truncate before truncate on ledger_entry
  for each statement execute function ledger_refuses();
create trigger ledger_line_no_truncate before truncate on ledger_line
  for each statement execute function ledger_refuses();
create trigger staff_log_no_truncate before truncate on staff_log
  for each statement execute function staff_log_refuses();
create trigger product_change_no_truncate before truncate on product_change
  for each statement execute function product_history_refuses();
create trigger product_withdrawal_no_truncate before truncate on product_withdrawal
  for each statement execute function product_history_refuses();

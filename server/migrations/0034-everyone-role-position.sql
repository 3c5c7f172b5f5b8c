-- A smaller position is higher (protocol.md §8.3): everyone's role was sorted as the highest by clients.
update role set position = 2147483647 where role_id = 0;

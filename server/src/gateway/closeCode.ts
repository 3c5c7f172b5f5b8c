/** WebSocket close codes of the gateway. protocol.md §2.3. */
export const closeCode = {
  /** The server restarts: the client reconnects with its session. RFC 6455 registry. */
  restarting: 1012,
  replaced: 4000,
  revoked: 4001,
  refused: 4002,
  flooded: 4008,
  idle: 4009,
  late: 4010,
} as const

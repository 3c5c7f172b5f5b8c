/** The call whose answers the events of transfers change. In a file of its own: a room needs no more. */
export const TRANSFER_PATH = '/api/v3/guild/transfer-view'

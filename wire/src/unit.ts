/** Branded types for units. Times are whole milliseconds since 1970 unless a wire field says otherwise. */
export type Millis = number
/** Money, in whole fen. */
export type Fen = number
export type Bytes = number

export const MB: Bytes = 1_048_576

export const SECOND_MS = 1_000
export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000

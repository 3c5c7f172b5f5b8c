/** Users in the public protocol, with a few fields that the page does not read. protocol.md §5.1. */
import type { User } from './shown.ts'

/** Unused fields that typed clients require. */
const PUBLIC_DEFAULTS = {
  vip_amp: false,
  banner: '',
  nameplate: [],
  decorations_id_map: null,
} as const

/** A user as v3 calls and bots' connections send it; other fields are kept. */
export const publicUser = <U extends User>(
  input: U,
): U & typeof PUBLIC_DEFAULTS & { os: string; is_sys: boolean } => ({
  ...input,
  ...PUBLIC_DEFAULTS,
  os: input.os ?? '',
  is_sys: input.is_sys ?? false,
})

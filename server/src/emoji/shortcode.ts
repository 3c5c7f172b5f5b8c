/** Shortcodes of Unicode emoji. protocol.md §6.1 "unicode emoji". */
import { gemoji } from 'gemoji'

const byName = new Map(gemoji.flatMap(({ emoji, names }) => names.map((name) => [name, emoji] as const)))

/** The emoji behind a shortcode's name, `smile` → 😄, or null. */
export const emojiNamed = (name: string): string | null => byName.get(name) ?? null

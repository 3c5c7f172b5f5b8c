/** The operating system of a client, as its User-Agent says it. protocol.md §5.1 `os`. */

/** What a bot's connection runs on. protocol.md §4.10. */
export const BOT_SYSTEM = 'Websocket'

/** In order: an Android browser says Linux too, and one of iOS says Mac OS X. */
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/iphone|ipad|ipod|\bios\b/i, 'iOS'],
  [/android|harmonyos|openharmony/i, 'Android'],
  [/windows/i, 'Windows'],
  [/macintosh|mac ?os/i, 'macOS'],
  [/linux|x11|cros/i, 'Linux'],
]

/** `iOS`, `Android`, `Windows`, `macOS` or `Linux`; empty where the client does not say. */
export const clientSystem = (agent: string | undefined): string =>
  SYSTEMS.find(([says]) => says.test(agent ?? ''))?.[1] ?? ''

/**
 * The system that somebody with several connections is shown with: a desk before a phone, the same on every
 * node.
 */
export function shownSystem(systems: Iterable<string>): string {
  let shown = ''
  for (const system of systems) if (rankOf(system) < rankOf(shown)) shown = system
  return shown
}

const ORDER = ['Windows', 'macOS', 'Linux', 'iOS', 'Android', BOT_SYSTEM]
const rankOf = (system: string): number => {
  const at = ORDER.indexOf(system)
  return at < 0 ? ORDER.length : at
}

// Browsers leave out tabs and line ends, and read a backslash as a slash.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
const MISREAD = /[\u0000-\u001f\u007f\\]/

/**
 * The path that a `redir` value leads to; null when it leaves this site. Full addresses of this origin are
 * allowed (chat.md §4 "Login flow"). Other origins are refused: a link to the login page could otherwise lead
 * a user who has just logged in to a copy of this site. Refused as well is a path that some later reader,
 * after decoding it, would take for another site's address: `/.//evil.example` has our origin, and its path
 * is `//evil.example`.
 */
export function safeRedir(value: string | null, origin: string = location.origin): string | null {
  if (!value || MISREAD.test(value)) return null
  const hasScheme = /^\s*[a-z][a-z\d+.-]*:/i.test(value)
  if (hasScheme && !/^https?:\/\/[^/]/i.test(value)) return null
  const url = attempt(() => new URL(value, origin))
  if (url?.origin !== origin || url.username !== '' || url.password !== '') return null
  return isPlainPath(url.pathname) ? url.pathname + url.search + url.hash : null
}

/** Whether a path stays one of this site, however often it is decoded. */
function isPlainPath(path: string): boolean {
  for (let read = path; ; ) {
    if (read.includes('//') || MISREAD.test(read)) return false
    const next = attempt(() => decodeURIComponent(read))
    if (next === null) return false
    if (next === read) return true
    read = next
  }
}

function attempt<T>(parse: () => T): T | null {
  try {
    return parse()
  } catch {
    return null
  }
}

/**
 * The address of a page of this site that asked for something, with what it asked for; `fallback` where the
 * way back leads elsewhere.
 */
export function pathBackTo(
  from: string | null,
  fallback: string,
  answer: Readonly<Record<string, string>>,
  origin: string = location.origin,
): string {
  const url = new URL(safeRedir(from, origin) ?? fallback, origin)
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value)
  return url.pathname + url.search + url.hash
}

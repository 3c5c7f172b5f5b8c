const NAMED_HOST = /(?:^|[^\p{L}\p{N}.-])((?:[\p{L}\p{N}-]+\.)+\p{L}{2,})/u

/**
 * The host that a link leads to, when its text names another one; null when the text names none, or the same.
 * A reader must see where `[bank.example](https://evil.example)` leads.
 */
export function hiddenTarget(label: string, href: string): string | null {
  const named = NAMED_HOST.exec(label)?.[1]
  const host = hostOf(href)
  if (named === undefined || host === null) return null
  return hostOf(`http://${named}`) === host ? null : host
}

/** Browsers of chat apps are older than `URL.canParse`. */
function hostOf(address: string): string | null {
  try {
    return new URL(address).hostname.replace(/^www\./, '')
  } catch {
    return null
  }
}

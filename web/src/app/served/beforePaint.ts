/**
 * Runs before the first paint, from the head of the page (`web/pages.ts` puts it there): sets theme and
 * language, so that nobody sees them change, then requests what the route will need (`kit/earlyAnswers.ts`
 * takes the answers), then its scripts: links in the head would be requested before the data, and over
 * HTTP/1.1 the data would wait for them. The rules of theme and language are those of `kit/theme.ts` and
 * `kit/i18n.ts`: light unless chosen, invites always dark, Chinese except to a browser that asks for
 * English. It imports nothing.
 */

/** Request paths by where they are needed, with `{guild}` and `{channel}`; the build puts them here. */
declare const EARLY_REQUESTS: {
  readonly always: readonly string[]
  readonly guild: readonly string[]
  readonly list: readonly string[]
  readonly room: readonly string[]
}

;(() => {
  const stored = (key: string): string | null => {
    try {
      return localStorage.getItem(key)
    } catch {
      // Storage may be refused in private windows; the defaults stand.
      return null
    }
  }
  const path = location.pathname
  const isDark = stored('theme') === 'dark' || /^\/(user-)?invite\//.test(path)
  const locale = stored('locale') ?? (/^en/i.test(navigator.language) ? 'en' : 'zh-CN')
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
  document.documentElement.lang = locale
  const meta = document.querySelector<HTMLMetaElement>('meta[name="theme-color"]')!
  meta.content = meta.dataset[isDark ? 'dark' : 'light']!.slice(0, 7)

  // A tap on an invite's button before the page has it: `start.tsx` passes it on.
  addEventListener('click', ({ target }) => {
    if ((target as Element).closest('.invite-accept')) Object.assign(window, { earlyTap: 1 })
  })

  requestAnswers()
  for (const href of JSON.parse(document.getElementById('preloads')?.textContent ?? '[]'))
    document.head.append(
      Object.assign(document.createElement('link'), { rel: 'modulepreload', crossOrigin: '', href }),
    )

  // In a native shell it is not known yet who is logged in. As `here` of `native/environment.ts`.
  function isInShell(): boolean {
    const { webkit, GuildhallNative } = window as {
      webkit?: { messageHandlers?: { guildhall?: unknown } }
      GuildhallNative?: unknown
    }
    return Boolean(webkit?.messageHandlers?.guildhall ?? GuildhallNative) || parent !== window
  }

  function requestAnswers(): void {
    const token = isInShell() ? null : stored('authorization')
    const route = /^\/channels(?:\/(\d+))?(?:\/(\d+))?\/?$/.exec(path)
    if (!token || !route) return
    const guild = route[1] ?? stored('last_guild')
    const channel = route[2]
    const paths = [
      ...EARLY_REQUESTS.always,
      ...(channel ? EARLY_REQUESTS.room : EARLY_REQUESTS.list),
      ...(guild ? EARLY_REQUESTS.guild : []),
    ]
    const headers = { Authorization: token, 'Accept-Language': locale === 'zh-CN' ? 'zh' : locale }
    const answers: Record<string, Promise<Response>> = {}
    for (const each of paths) {
      const url = each.replace('{guild}', guild ?? '').replace('{channel}', channel ?? '')
      const answer = fetch(url, { headers, credentials: 'include' })
      // Whoever takes it handles the failure.
      answer.catch(() => undefined)
      answers[url] = answer
    }
    Object.assign(window, { earlyAnswers: { token, answers } })
  }
})()

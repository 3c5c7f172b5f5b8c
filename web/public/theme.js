// Runs before the first paint, so that a dark reader never sees a white flash. A file of its own because the
// content policy allows no inline script. The same rules live in src/kit/theme.ts and i18n.ts: light unless
// chosen, the invite page always dark, Chinese except to a browser that asks for English.
;(() => {
  let theme = 'light'
  let locale = /^en/i.test(navigator.language) ? 'en' : 'zh-CN'
  try {
    if (localStorage.getItem('theme') === 'dark') theme = 'dark'
    locale = localStorage.getItem('locale') ?? locale
  } catch {
    // Storage may be refused in private windows; the defaults stand.
  }
  if (location.pathname.startsWith('/invite/')) theme = 'dark'
  document.documentElement.dataset.theme = theme
  document.documentElement.lang = locale
  const bar = document.querySelector('meta[name="theme-color"]')
  if (bar) bar.setAttribute('content', theme === 'dark' ? '#101317' : '#F3F5F7')
})()

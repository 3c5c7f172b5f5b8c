// npm run bench: measures side by side in one session and prints ratios. `npm run bench -- sends` runs only
// that one.
const BENCHES: Readonly<Record<string, () => Promise<{ run(): Promise<void> }>>> = {
  sends: () => import('./bench/sends.ts'),
  gateway: () => import('./bench/gateway.ts'),
  members: () => import('./bench/members.ts'),
  settings: () => import('./bench/settings.ts'),
  room: () => import('./bench/room.ts'),
  page: () => import(new URL('../e2e/pageLoad.ts', import.meta.url).href),
  pictures: () => import(new URL('../e2e/pictures.ts', import.meta.url).href),
  places: () => import('./bench/places.ts'),
  hostile: () => import('./bench/hostile.ts'),
  captcha: () => import('./bench/captcha.ts'),
  kmarkdown: () => import('./bench/kmarkdown.ts'),
  pay: () => import('./bench/pay.ts'),
  boosts: () => import('./bench/boosts.ts'),
  search: () => import('./bench/search.ts'),
  console: () => import('./bench/console.ts'),
  scroll: () => import(new URL('../e2e/scroll.ts', import.meta.url).href),
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !Object.hasOwn(BENCHES, name))
if (unknown.length > 0) {
  console.error(`No bench is called ${unknown.join(', ')}. Benches: ${Object.keys(BENCHES).join(', ')}.`)
  process.exit(2)
}
for (const [name, load] of Object.entries(BENCHES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  console.log(`\n== ${name}`)
  await (await load()).run()
}

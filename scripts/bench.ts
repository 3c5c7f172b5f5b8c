// npm run bench: measures side by side in one session and prints ratios. `npm run bench -- sends` runs only
// that one, `npm run bench -- all --short` in ten minutes what has a short form. `--keep` adds the figures to
// docs/figures.md.
import { availableParallelism, cpus, release, totalmem } from 'node:os'
import * as figures from './bench/kit/figures.ts'
import { keepFigures } from './bench/kit/history.ts'

interface Bench {
  /** `isShort`: less of the same, for those that have such a form. */
  run(isShort: boolean, to: typeof figures, machine: string): Promise<void>
}

const BENCHES: Readonly<Record<string, () => Promise<Bench>>> = {
  path: () => import('./bench/path.ts'),
  sends: () => import('./bench/sends.ts'),
  wakeup: () => import('./bench/wakeup.ts'),
  gateway: () => import('./bench/gateway.ts'),
  idle: () => import('./bench/idle.ts'),
  members: () => import('./bench/members.ts'),
  settings: () => import('./bench/settings.ts'),
  room: () => import('./bench/room.ts'),
  page: () => import(new URL('../e2e/pageLoad.ts', import.meta.url).href),
  phone: () => import(new URL('../e2e/bench/phone.ts', import.meta.url).href),
  pictures: () => import(new URL('../e2e/pictures.ts', import.meta.url).href),
  places: () => import('./bench/places.ts'),
  hostile: () => import('./bench/hostile.ts'),
  captcha: () => import('./bench/captcha.ts'),
  kmarkdown: () => import('./bench/kmarkdown.ts'),
  pay: () => import('./bench/pay.ts'),
  boosts: () => import('./bench/boosts.ts'),
  search: () => import('./bench/search.ts'),
  console: () => import('./bench/console.ts'),
  partitions: () => import('./bench/partitions.ts'),
  scale: () => import('./bench/scale.ts'),
  scroll: () => import(new URL('../e2e/scroll.ts', import.meta.url).href),
}
/** Those with a short form, ten minutes together. */
const SHORT = ['path', 'sends', 'page']

const args = process.argv.slice(2)
const isShort = args.includes('--short')
const isKept = args.includes('--keep')
const names = args.filter((it) => !it.startsWith('--') && it !== 'all')
const offered = isShort ? SHORT : Object.keys(BENCHES)
const unknown = [
  ...names.filter((name) => !offered.includes(name)),
  ...args.filter((it) => it.startsWith('--') && it !== '--short' && it !== '--keep'),
]
if (unknown.length > 0) {
  console.error(
    `No bench is called ${unknown.join(', ')}. ${isShort ? 'Short benches' : 'Benches'}: ${offered.join(', ')}.`,
  )
  process.exit(2)
}

const machine = `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform} ${release()}, Node ${process.version}`
console.log(machine)
for (const name of names.length > 0 ? names : offered) {
  console.log(`\n== ${name}`)
  const bench = await BENCHES[name]!()
  await figures.judged(() => bench.run(isShort, figures, machine))
}
const { kept, refused } = figures.reported()
if (isKept) keepFigures(machine, kept)
if (refused > 0) {
  console.log(`\n${refused} figures were refused: measure again when the machine is quiet.`)
  process.exitCode = 3
}

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { contrast } from '../web/src/ui/contrast.ts'

const ROOT = path.dirname(import.meta.dirname)
const TOKENS = 'web/src/ui/tokens.css'
const CARDS = 'web/src/card/Cards.module.css'
const GROUNDS = ['canvas', 'surface', 'raised']
const TONES = ['primary', 'success', 'danger', 'warning', 'info', 'secondary']

/** Text colours with the grounds on which they are written. */
const WRITTEN: readonly (readonly [file: string, text: string, ground: string])[] = [
  ...['text', 'muted', 'brand-words', 'link', 'danger', 'gold'].flatMap((text) =>
    GROUNDS.map((ground) => [TOKENS, text, ground] as const),
  ),
  [TOKENS, 'on-brand', 'brand'],
  [TOKENS, 'on-danger', 'danger'],
  [TOKENS, 'text', 'brand-soft'],
  [TOKENS, 'muted', 'brand-soft'],
  [TOKENS, 'brand-words', 'brand-soft'],
  [TOKENS, 'notice', 'notice-ground'],
  ...TONES.map((tone) => [CARDS, `ink-${tone}`, `tone-${tone}`] as const),
]

/** The colours that a file declares for a theme. */
function colorsOf(file: string, theme: 'light' | 'dark'): ReadonlyMap<string, [number, number, number]> {
  const source = readFileSync(path.join(ROOT, file), 'utf8')
  const [light = '', dark = ''] = source.split(':root[data-theme="dark"]')
  const declared = (theme === 'light' ? light : dark.slice(0, dark.indexOf('}'))).matchAll(
    /--([\w-]+): #([0-9a-f]{6})/gi,
  )
  return new Map(
    [...declared].map(([, name, hex]) => {
      const parts = [0, 2, 4].map((at) => Number.parseInt(hex!.slice(at, at + 2), 16))
      return [name!, parts as [number, number, number]]
    }),
  )
}

/** Colours that are drawn and not written, with their grounds. */
const DRAWN = [...GROUNDS, 'brand-soft'].map((ground) => [TOKENS, 'crown', ground] as const)

const tooFaint = (theme: 'light' | 'dark', pairs: typeof WRITTEN, least: number): string[] =>
  pairs.flatMap(([file, color, ground]) => {
    const colors = colorsOf(file, theme)
    const ratio = contrast(colors.get(color)!, colors.get(ground)!)
    return ratio < least ? [`${color} on ${ground}: ${ratio.toFixed(2)}`] : []
  })

test.each(['light', 'dark'] as const)('every text of the palette can be read in the %s theme', (theme) => {
  expect(tooFaint(theme, WRITTEN, 4.5)).toEqual([])
})

test.each(['light', 'dark'] as const)('what is drawn stands out from its ground in the %s theme', (theme) => {
  expect(tooFaint(theme, DRAWN, 3)).toEqual([])
})

import { readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { contrastOf, DEFAULT_COLOURS, groundsOf, luminanceOf, tokensOf } from './colours.ts'

const hex = fc.integer({ min: 0, max: 0xffffff }).map((it) => `#${it.toString(16).padStart(6, '0')}`)
const WORDS = ['text', 'muted', 'brand-words', 'link', 'danger', 'gold', 'invite-words']
const GROUNDS = ['canvas', 'surface', 'raised', 'brand-soft']

it('whatever an operator may choose, everything that is read has 4.5:1 on every ground', () => {
  const colours = fc
    .record({ accent: hex, on_accent: hex, background: hex, text: hex })
    .filter(({ background, text }) => contrastOf(background, text) >= 4.5)
  fc.assert(
    fc.property(colours, (it) => {
      const theme = luminanceOf(it.background) > luminanceOf(it.text) ? 'light' : 'dark'
      const tokens = tokensOf(theme, it)
      for (const words of WORDS)
        for (const ground of GROUNDS)
          expect(contrastOf(tokens[words]!, tokens[ground]!), `${words} on ${ground}`).toBeGreaterThanOrEqual(
            4.5,
          )
      const [canvas, surface, worst] = groundsOf(theme, it).split(' ')
      expect([canvas, surface]).toEqual([tokens.canvas, tokens.surface])
      expect(contrastOf(it.text, worst!)).toBeGreaterThanOrEqual(4.5)
    }),
    { seed: 7, numRuns: 400 },
  )
})

it('the product’s own colours are those of the stylesheet', () => {
  const css = readFileSync(path.join(import.meta.dirname, '../../../../web/src/ui/tokens.css'), 'utf8')
  const [light = '', dark = ''] = css.split(':root[data-theme="dark"]')
  for (const [theme, part] of [
    ['light', light],
    ['dark', dark],
  ] as const) {
    const { accent, on_accent, background, text } = DEFAULT_COLOURS[theme]
    for (const [name, value] of Object.entries({
      brand: accent,
      'on-brand': on_accent,
      canvas: background,
      text,
    }))
      expect(part).toContain(`--${name}: ${value};`)
  }
})

it('every variable that is written is one of the stylesheets', () => {
  const css = ['ui/tokens.css', 'invite/landing.css']
    .map((file) => readFileSync(path.join(import.meta.dirname, '../../../../web/src', file), 'utf8'))
    .join('')
  for (const name of Object.keys(tokensOf('light', DEFAULT_COLOURS.light)))
    expect(css).toMatch(new RegExp(`--${name}[:,]`))
})

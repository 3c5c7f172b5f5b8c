/** Pictures that the server draws when they are asked for. */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { withoutOverrides } from '@guildhall/wire/visible.ts'
import type { Servable } from './file.ts'

/** Characters that XML forbids. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\ufffe\uffff]/gu

/** Words within SVG: nothing of them is markup. */
export const svgText = (text: string): string =>
  withoutOverrides(text)
    .replace(UNPRINTABLE, '')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** An SVG picture as a file. `cachedForS`: how long others may keep it, s. */
export function drawnFile(svg: string, input: Pick<Servable, 'name' | 'cachedForS'>): Servable {
  const content = Buffer.from(svg)
  return {
    mime: 'image/svg+xml',
    bytes: content.length,
    tag: createHash('sha256').update(content).digest('hex'),
    name: input.name,
    isShown: true,
    cachedForS: input.cachedForS,
    isPrivate: false,
    isForAnySite: true,
    open: async (range) =>
      Readable.from([range ? content.subarray(range.first, range.last + 1) : content], { objectMode: false }),
  }
}

// Draws the icons of the installed page from web/public/logo.svg, after a change of the logo.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { drawIcon, ICONS } from '../server/src/site/face/icons.ts'

const PUBLIC = path.join(path.dirname(import.meta.dirname), 'web/public')

/** The logo's own ground, which fills a maskable icon; what stands on it keeps away from the edge. */
const GROUND = '#0B7A53'
const SHARE = 0.85

const logo = readFileSync(path.join(PUBLIC, 'logo.svg'), 'utf8')
for (const { path: name, side, purpose } of ICONS) {
  const look = purpose === 'maskable' ? { share: SHARE, ground: GROUND } : { share: 1, ground: null }
  writeFileSync(path.join(PUBLIC, name), await drawIcon(logo, { side, ...look }))
}

/** Files of the site that are the operator's where SITE_DIR has them: manifest, logo, and pictures of it. */
import { createHash } from 'node:crypto'
import { defaultLocale } from '@guildhall/wire/locale.ts'
import { siteName } from '@guildhall/wire/siteName.ts'
import sharp from 'sharp'
import type { EndpointReply, Page } from '../../kit/http/endpoints.ts'
import { DEFAULT_COLOURS } from './colours.ts'
import { descriptionOf } from './dress.ts'
import type { SiteFace } from './folder.ts'

/** The logo's pictures, where a phone or a chat app takes no SVG: their paths, and their sides in pixels. */
const PICTURES = { '/apple-touch-icon.png': 180, '/share.png': 512, '/favicon.ico': 48 } as const

/** The web app's manifest: what a phone shows of the page on its home screen. */
export function manifestOf(face: Pick<SiteFace, 'colours' | 'shortName' | 'landing'>): string {
  const { background } = (face.colours ?? DEFAULT_COLOURS).light
  const name = siteName[defaultLocale]
  return JSON.stringify({
    name,
    short_name: face.shortName ?? name,
    description: descriptionOf(face),
    start_url: '/channels/',
    display: 'standalone',
    background_color: background,
    theme_color: background,
    icons: [
      { src: '/logo.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
      { src: '/apple-touch-icon.png', sizes: '180x180', type: 'image/png', purpose: 'any' },
    ],
  })
}

/** The manifest, and where there is a logo, it and its pictures in place of the built files. */
export async function facePages(face: SiteFace): Promise<Page[]> {
  const { logo } = face
  const manifest = constantPage('/manifest.webmanifest', 'manifest', manifestOf(face))
  if (logo === null) return [manifest]
  const ground = (face.colours ?? DEFAULT_COLOURS).light.background
  const pictures = Object.entries(PICTURES).map(async ([path, side]) => {
    const drawn = sharp(Buffer.from(logo), { density: 288 })
      .resize(side, side, { fit: 'contain', background: ground })
      .flatten({ background: ground })
    return constantPage(path, 'png', await drawn.png().toBuffer())
  })
  return [manifest, constantPage('/logo.svg', 'svg', logo), ...(await Promise.all(pictures))]
}

/** The same until the next start: browsers ask whether it has changed. */
function constantPage(path: string, type: 'manifest' | 'svg' | 'png', body: string | Buffer): Page {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  const headers = { 'cache-control': 'no-cache', etag }
  return {
    path,
    run: async (request): Promise<EndpointReply> =>
      request.headers['if-none-match'] === etag
        ? { status: 304, type, body: '', headers }
        : { status: 200, type, body, headers },
  }
}

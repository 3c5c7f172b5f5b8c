/** Files of the site that are the operator's where SITE_DIR has them: manifest, logo, and pictures of it. */
import { createHash } from 'node:crypto'
import { type Locale, locales, texts } from '@guildhall/wire/locale.ts'
import type { Address } from '@guildhall/wire/pages.ts'
import { siteName } from '@guildhall/wire/siteName.ts'
import type { EndpointReply, Page } from '../../kit/http/endpoints.ts'
import { DEFAULT_COLOURS } from './colours.ts'
import { descriptionOf } from './dress.ts'
import type { SiteFace } from './folder.ts'
import { drawIcon, ICONS, MASKABLE_SHARE } from './icons.ts'

/** The logo's pictures, where a phone or a chat app takes no SVG: their paths, and their sides in pixels. */
const PICTURES = { '/apple-touch-icon.png': 180, '/share.png': 512, '/favicon.ico': 48 } as const

const text = texts({
  'zh-CN': { chats: '私信', friends: '好友', discover: '发现' },
  en: { chats: 'Private messages', friends: 'Friends', discover: 'Discover' },
})

/** What holding the icon of the installed page offers. */
const SHORTCUTS = {
  chats: '/chats',
  friends: '/friends',
  discover: '/discover',
} as const satisfies Record<string, Address>

/** The web app's manifest: what a phone or a desk shows of the page once it is installed. */
export function manifestOf(
  face: Pick<SiteFace, 'colours' | 'shortName' | 'landing'>,
  locale: Locale,
): string {
  const { background } = (face.colours ?? DEFAULT_COLOURS).light
  const name = siteName[locale]
  return JSON.stringify({
    // By it browsers know the installed page again. It is what they took before there was one.
    id: '/channels/',
    name,
    short_name: face.shortName ?? name,
    description: descriptionOf(face, locale),
    lang: locale,
    start_url: '/channels/',
    scope: '/',
    display: 'standalone',
    background_color: background,
    theme_color: background,
    icons: [
      { src: '/logo.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
      ...ICONS.map(({ path, side, purpose }) => ({
        src: path,
        sizes: `${side}x${side}`,
        type: 'image/png',
        purpose,
      })),
    ],
    shortcuts: Object.entries(SHORTCUTS).map(([key, url]) => ({
      name: text[locale][key as keyof typeof SHORTCUTS],
      url,
      icons: [{ src: '/icon-192.png', sizes: '192x192', type: 'image/png' }],
    })),
  })
}

/** The manifest, and where there is a logo, it and its pictures in place of the built files. */
export async function facePages(face: SiteFace): Promise<Page[]> {
  const { logo } = face
  const manifest = manifestPage(face)
  if (logo === null) return [manifest]
  const ground = (face.colours ?? DEFAULT_COLOURS).light.background
  const pictures = [
    ...Object.entries(PICTURES).map(([path, side]) => ({ path, side, share: 1 })),
    ...ICONS.map(({ path, side, purpose }) => ({
      path,
      side,
      share: purpose === 'maskable' ? MASKABLE_SHARE : 1,
    })),
  ].map(async ({ path, ...size }) => constantPage(path, 'png', await drawIcon(logo, { ...size, ground })))
  return [manifest, constantPage('/logo.svg', 'svg', logo), ...(await Promise.all(pictures))]
}

/** In the language of who installs the page. */
function manifestPage(face: SiteFace): Page {
  const path = '/manifest.webmanifest'
  const pages = new Map(
    locales.map((locale) => [
      locale,
      constantPage(path, 'manifest', manifestOf(face, locale), { vary: 'accept-language' }),
    ]),
  )
  return { path, run: async (request) => pages.get(request.locale)!.run(request) }
}

/** The same until the next start: browsers ask whether it has changed. */
function constantPage(
  path: string,
  type: 'manifest' | 'svg' | 'png',
  body: string | Buffer,
  more: Readonly<Record<string, string>> = {},
): Page {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  const headers = { 'cache-control': 'no-cache', etag, ...more }
  return {
    path,
    run: async (request): Promise<EndpointReply> =>
      request.headers['if-none-match'] === etag
        ? { status: 304, type, body: '', headers }
        : { status: 200, type, body, headers },
  }
}

/** Writes the operator's name, colours and words into the pages that the build made, before they are sent. */
import { defaultLocale, type Locale, texts } from '@guildhall/wire/locale.ts'
import { siteName } from '@guildhall/wire/siteName.ts'
import { dataScript, escapeHtml } from '../../kit/http/html.ts'
import { groundsOf, styleOf, type Themes } from './colours.ts'
import type { SiteFace } from './folder.ts'
import { PRODUCT } from './name.ts'

const text = texts({
  'zh-CN': { words: '和朋友在同一个公会里聊天' },
  en: { words: 'Talk with your friends in one guild' },
})

/** The page's description; the start page's slogan where the operator has one. */
export function descriptionOf({ landing }: Pick<SiteFace, 'landing'>, locale: Locale): string {
  const slogan = (landing[locale] ?? Object.values(landing)[0])?.[0]
  const words = slogan?.spans.map((span) => span.text).join('')
  return words ?? text[locale].words
}

/** Null where the folder says nothing that pages show: the built files are sent as they are. */
export function dresserOf(face: SiteFace): ((html: string) => string) | null {
  const hasNames = Object.keys(face.names).length > 0
  const hasLanding = Object.keys(face.landing).length > 0
  if (!hasNames && !hasLanding && !face.colours && face.shortName === null) return null
  const name = siteName[defaultLocale]
  const head = [
    ...(hasNames ? [dataScript('names', face.names)] : []),
    ...(hasLanding ? [dataScript('landing', face.landing)] : []),
    ...(face.colours ? [`<style>${styleOf(face.colours)}</style>`] : []),
  ].join('')
  return (html) => {
    const named = html
      .replace(`<title>${PRODUCT[defaultLocale]}`, () => `<title>${escapeHtml(name)}`)
      .replace(
        /(<meta name="apple-mobile-web-app-title" content=")[^"]*/,
        (_whole, tag: string) => tag + escapeHtml(face.shortName ?? name),
      )
      .replace(
        /(<meta name="description" content=")[^"]*/,
        (_whole, tag: string) => tag + escapeHtml(`${name}：${descriptionOf(face, defaultLocale)}`),
      )
    const coloured = face.colours ? withGrounds(named, face.colours) : named
    return coloured.replace('</head>', () => `${head}</head>`)
  }
}

/** The meta by which scripts know the grounds of both themes. */
const withGrounds = (html: string, { light, dark }: Themes): string =>
  html.replace(
    /<meta name="theme-color"[^>]*>/,
    () =>
      `<meta name="theme-color" content="${light.background}" data-light="${groundsOf('light', light)}" data-dark="${groundsOf('dark', dark)}">`,
  )

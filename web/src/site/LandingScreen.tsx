import './start.css'
import { asksProof, waysIn } from '@guildhall/wire/auth/ways.ts'
import type { ElementFactory } from '@guildhall/wire/elementFactory.ts'
import type { Locale } from '@guildhall/wire/locale.ts'
import type { Block } from '@guildhall/wire/site/site.ts'
import { discoveryHref, loginHref, startPage } from '@guildhall/wire/site/startPage.ts'
import { startText } from '@guildhall/wire/site/startText.ts'
import { createElement, type ReactNode, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { readStored } from '../kit/browser/storage.ts'
import { nextLocale, setLocale, useLocale, useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import { reactFactory } from '../kit/reactFactory.tsx'
import { safeRedir } from '../kit/redir.ts'
import { usePageTitle } from '../ui/page/usePageTitle.ts'
import LandingDownload from './app/LandingDownload.tsx'
import { useStartData } from './startData.ts'

export { preloadStartData } from './startData.ts'

/** The operator's words, which the server has written into the document; null: there are none. */
function operatorWords(): Readonly<Partial<Record<Locale, readonly Block[]>>> | null {
  return JSON.parse(document.getElementById('landing')?.textContent ?? 'null')
}

/** Links within the site are opened without loading the page again. */
const linkFactory: ElementFactory<ReactNode> = {
  ...reactFactory,
  element(tag, props, ...children) {
    const { href, className } = (typeof props === 'object' && props) || {}
    if (tag !== 'a' || typeof href !== 'string' || !href.startsWith('/'))
      return reactFactory.element(tag, props, ...children)
    return createElement(Link, { to: href, className: className as string | undefined }, ...children)
  },
}

/**
 * `/`: the start page, which the server has drawn as a guest sees it. A logout and an ended session lead
 * here. chat.md §2.
 */
export default function LandingScreen() {
  const t = useText(startText)
  const locale = useLocale()
  const [query] = useSearchParams()
  const redir = safeRedir(query.get('redir'))
  const known = readStored('authorization') !== null
  const data = useStartData()
  const [isOpen] = useState(() => asksProof(waysIn(document.cookie)))
  const words = operatorWords()
  usePageTitle(t.product)
  const entering = { label: t.login, href: loginHref(redir ?? undefined) }
  const registering = { label: t.register, href: loginHref(redir ?? undefined, true) }
  return startPage(linkFactory, {
    ...data,
    locale,
    own: words?.[locale] ?? words?.[nextLocale(locale)] ?? null,
    ways: known
      ? [{ label: t.enter, href: redir ?? paths.channels() }]
      : isOpen
        ? [registering, entering]
        : [entering],
    hasEnded: redir !== null && !known,
    language: (
      <button
        type="button"
        className="start-language"
        lang={nextLocale(locale)}
        onClick={() => setLocale(nextLocale(locale))}
      >
        {t.language}
      </button>
    ),
    download: <LandingDownload />,
    hrefOf: (guild) => (known ? discoveryHref(guild) : loginHref(discoveryHref(guild), isOpen)),
  })
}

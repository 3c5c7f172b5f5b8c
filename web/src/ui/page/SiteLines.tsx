import type { AnswerOf } from '@guildhall/wire/route.ts'
import { siteInfo } from '@guildhall/wire/site/site.ts'
import { useEffect, useState } from 'react'
import { call } from '../../kit/call.ts'
import styles from './SiteLines.module.css'

type Info = AnswerOf<typeof siteInfo>

/** How long a first screen waits for the lines, ms, so that nothing moves when they come. */
const WAIT_MS = 1_000

let known: Info | null = null

/** Without an answer there are no lines: nobody waits for them. */
const load = (): Promise<Info | null> =>
  call(siteInfo, {}).then(
    (info) => {
      known = info
      return info
    },
    () => null,
  )

/** Resolves when the operator's lines are there, or after a while. */
export const preloadSiteLines = (): Promise<unknown> =>
  Promise.race([load(), new Promise((resolve) => setTimeout(resolve, WAIT_MS))])

/**
 * What the operator says below a page: business contact, copyright, registration notices. commerce.md §2;
 * nothing where nothing is set.
 */
export function SiteLines() {
  const [info, setInfo] = useState(known)
  useEffect(() => {
    if (!known) void load().then(setInfo)
  }, [])
  if (!info || (info.contact === '' && info.copyright === '' && info.records.length === 0)) return null
  return (
    <div className={styles.lines} data-part="site-lines">
      {info.contact !== '' && <p>{info.contact}</p>}
      {info.copyright !== '' && <p>{info.copyright}</p>}
      {info.records.map(({ text, url }) =>
        url === '' ? (
          <span key={text}>{text}</span>
        ) : (
          <a key={text} href={url} target="_blank" rel="noopener noreferrer">
            {text}
          </a>
        ),
      )}
    </div>
  )
}

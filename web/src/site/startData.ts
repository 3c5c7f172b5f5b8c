/** What the start page shows beside its words: the guilds that everybody sees, and the operator's lines. */
import { listPublicGuilds } from '@guildhall/wire/profile/publicGuilds.ts'
import { siteInfo } from '@guildhall/wire/site/site.ts'
import type { StartData } from '@guildhall/wire/site/startPage.ts'
import { useEffect, useState } from 'react'
import { call } from '../kit/call.ts'

/** How long a first screen waits for it, ms, so that nothing moves when it comes. */
const WAIT_MS = 1_000

const NOTHING: StartData = { guilds: [], lines: { contact: '', copyright: '', records: [] } }

/** As it was read, where another page was opened first. */
let known: StartData | null = null
/** As the server wrote it into the document. */
const served = (): StartData | null => JSON.parse(document.getElementById('start')?.textContent ?? 'null')

/** What a call does not answer stays empty: the page is complete without it. */
async function load(): Promise<StartData> {
  const [guilds, lines] = await Promise.all([
    call(listPublicGuilds, {}).then(
      ({ items }) => items,
      () => NOTHING.guilds,
    ),
    call(siteInfo, {}).catch(() => NOTHING.lines),
  ])
  known = { guilds, lines }
  return known
}

/** Resolves when it is there, or after a while. */
export async function preloadStartData(): Promise<void> {
  if (!served() && !known)
    await Promise.race([load(), new Promise((resolve) => setTimeout(resolve, WAIT_MS))])
}

export function useStartData(): StartData {
  const [data, setData] = useState(() => served() ?? known)
  useEffect(() => {
    if (!data) void load().then(setData)
  }, [data])
  return data ?? NOTHING
}

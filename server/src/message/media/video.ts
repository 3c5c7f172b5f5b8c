/** Pages of the video site whose videos are embedded. chat.md §3 "Embeds", protocol.md §5.5. */
import type { VideoEmbed } from '@guildhall/wire/message/embed.ts'
import type { Page } from '../preview/pageHead.ts'

const SITES = new Set(['www.bilibili.com', 'bilibili.com', 'm.bilibili.com'])
const WATCHED = /^\/video\/(?:av(\d{1,20})|BV\w{10})\/?$/i
const LENGTH = ['og:video:duration', 'video:duration', 'duration']
const NUMBER = ['og:url', 'og:video', 'og:video:url', 'og:video:secure_url']

/**
 * The video of a page of the video site; null when it is another page, or lacks the number or the duration
 * without which a video cannot be embedded.
 */
export function videoOf({ url, said }: Page): Pick<VideoEmbed, 'av_no' | 'iframe_path' | 'duration'> | null {
  const watched = SITES.has(url.hostname) ? WATCHED.exec(url.pathname) : null
  if (!watched) return null
  const fromMetadata = NUMBER.map((name) => /(?:\/av|[?&]aid=)(\d{1,20})\b/i.exec(said.get(name) ?? '')?.[1])
  const number = watched[1] ?? fromMetadata.find((each) => each !== undefined)
  const length = LENGTH.map((name) => secondsOf(said.get(name) ?? '')).find((each) => each !== null)
  if (number === undefined || length == null) return null
  return {
    av_no: number,
    iframe_path: `https://player.bilibili.com/player.html?aid=${number}`,
    duration: length,
  }
}

/** A length as pages write it: seconds, or `PT1H2M3S`. */
function secondsOf(text: string): number | null {
  if (/^\d{1,7}$/.test(text)) return Number(text) || null
  const [, hours = 0, minutes = 0, seconds = 0] =
    /^PT(?:(\d{1,4})H)?(?:(\d{1,4})M)?(?:(\d{1,6})S)?$/i.exec(text) ?? []
  return Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds) || null
}

/** Embeds: previews of the links in a message. chat.md §3 "Embeds", protocol.md §5.5. */
import { isWebAddress } from '../kmarkdown/link.ts'
import { type Out, z } from '../schema.ts'

/** Of the web, which `embedsOf` checks. */
const address = z.string()

const video = z.object({
  type: z.literal('bili-video'),
  /** The address of its page. */
  url: z.optional(address),
  origin_url: z.optional(address),
  av_no: z.optional(z.union([z.string(), z.number()])),
  title: z._default(z.string(), ''),
  /** The address of its picture. */
  pic: z.optional(z.string()),
  /** s */
  duration: z.optional(z.number()),
  /** The address of its player. */
  iframe_path: z.optional(z.string()),
})
const image = z.object({ type: z.literal('image'), url: address, origin_url: z.optional(address) })
const text = z._default(z.string(), '')
const link = z.object({
  type: z.literal('link'),
  url: address,
  title: z.string().check(z.minLength(1)),
  description: text,
  site_name: text,
  /** `#RRGGBB` as the page names it, or `''`. */
  theme_color: text,
  /** The address of its picture, or `''`. */
  image: text,
})

export type VideoEmbed = Out<typeof video>
export type LinkEmbed = Out<typeof link>
export type ImageEmbed = Out<typeof image>
export type Embed = VideoEmbed | ImageEmbed | LinkEmbed

const EMBEDS_MAX = 5

/** The embeds that can be shown, in their order, at most `EMBEDS_MAX`; others are left out. Never throws. */
export function embedsOf(all: readonly unknown[]): Embed[] {
  return all
    .flatMap((it): Embed[] => {
      const read = z.union([video, image, link]).safeParse(it)
      if (!read.success) return []
      const { url, origin_url }: { url?: string | undefined; origin_url?: string | undefined } = read.data
      return [url, origin_url].every((it) => it === undefined || isWebAddress(it)) ? [read.data] : []
    })
    .slice(0, EMBEDS_MAX)
}

/** The address of a video's page; null when the embed contains none. */
export function watchedAt(input: VideoEmbed): string | null {
  const number = /^(?:av)?(\d{1,20})$/i.exec(String(input.av_no ?? ''))?.[1]
  return input.url ?? input.origin_url ?? (number ? `https://www.bilibili.com/video/av${number}` : null)
}

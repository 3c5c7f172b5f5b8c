/** What a message shows of the addresses in it: chat.md §3 "Embeds", protocol.md §5.5. */
import { isWebAddress } from '../kmarkdown/link.ts'
import { type Out, z } from '../schema.ts'

const address = z.string().check(z.refine(isWebAddress))

const video = z.object({
  type: z.literal('bili-video'),
  /** Where it is watched. */
  url: z.optional(address),
  origin_url: z.optional(address),
  av_no: z.optional(z.union([z.string(), z.number()])),
  title: z._default(z.string(), ''),
  /** The address of its picture. */
  pic: z.optional(z.string()),
  /** s */
  duration: z.optional(z.number()),
})
const image = z.object({ type: z.literal('image'), url: address })

export type VideoEmbed = Out<typeof video>
export type Embed = VideoEmbed | Out<typeof image>

const EMBEDS_MAX = 5

/** The embeds that can be shown, in their order, at most `EMBEDS_MAX`; others are left out. Never throws. */
export function embedsOf(all: readonly unknown[]): Embed[] {
  return all
    .flatMap((it): Embed[] => {
      const read = z.union([video, image]).safeParse(it)
      return read.success ? [read.data] : []
    })
    .slice(0, EMBEDS_MAX)
}

/** Where a video is watched, or null when the embed does not say. */
export function watchedAt(it: VideoEmbed): string | null {
  const number = /^(?:av)?(\d{1,20})$/i.exec(String(it.av_no ?? ''))?.[1]
  return it.url ?? it.origin_url ?? (number ? `https://www.bilibili.com/video/av${number}` : null)
}

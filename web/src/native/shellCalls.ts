/**
 * The calls that a page makes of its native shell, and the events of the shell. docs/native.md; commerce.md
 * §3, chat.md §3 and §4. Values that a shell may send as null are those that its language writes so when they
 * are missing.
 */
import { z } from '@guildhall/wire/schema.ts'

const nothing = z.object({})
const id = z.string().check(z.minLength(1))
const missing = <T extends z.ZodMiniType>(schema: T) => z.optional(z.nullable(schema))
/** What the server told of a product: the page hands it on. */
const produceInfo = z.optional(z.looseObject({}))

/** The first call: who is logged in, and what the shell can do. */
export const appConfig = z.object({
  /** Missing or empty: nobody is logged in. */
  token: missing(z.string()),
  theme: missing(z.enum(['dark', 'light'])),
  /** As browsers write it: `zh-CN`, `en-US`. */
  language: missing(z.string()),
  app_plantform: z.enum(['IOS', 'Android', 'Desktop']),
  version: z.string().check(z.minLength(1)),
  /** The calls that this version of the shell has. */
  calls: z.array(z.string()),
})

/** How a purchase ended. One that failed is an error with the words for the person. */
const purchase = z.object({ status: z.enum(['success', 'cancel']), order_id: missing(z.string()) })

/** A purchase for a friend. */
const present = z.object({
  produce_id: id,
  user_id: id,
  count: z.optional(z.int().check(z.gte(1))),
  produce_info: produceInfo,
})

/** What each call sends, and what the shell answers. */
export const shellCalls = {
  get_app_config: { data: nothing, result: appConfig },
  jump_guild: { data: z.object({ guild_id: id, channel_id: z.optional(id) }), result: nothing },
  join_audio: { data: z.object({ guild_id: id, channel_id: id }), result: nothing },
  /** Opens an address of this site in a web view of its own. `data`: for `get_page_data` there. */
  new_page: {
    data: z.object({ url: z.string().check(z.minLength(1)), data: z.optional(z.unknown()) }),
    result: nothing,
  },
  /** What `new_page` was given when this web view was opened. */
  get_page_data: { data: nothing, result: z.object({ data: z.optional(z.unknown()) }) },
  close_webview: { data: nothing, result: nothing },
  /** What is missing is as by default: the app's colour, no action. */
  show_navigation_bar: {
    data: z.object({
      title: z.optional(z.string()),
      /** The bar's colour, `#RRGGBB`. */
      color: z.optional(z.string().check(z.regex(/^#[\dA-Fa-f]{6}$/))),
      /** The action on the right; a tap is `on_click_navigation_right`. */
      action: z.optional(z.object({ text: z.string(), enabled: z.boolean() })),
      /**
       * A tap on the way back is `on_click_navigation_left` alone, and the page decides; else the shell goes
       * back as well.
       */
      catch_left: z.optional(z.boolean()),
    }),
    result: nothing,
  },
  hide_navigation_bar: { data: nothing, result: nothing },
  /**
   * Has the person choose a picture and uploads it. Without `url` the upload failed, or nothing was chosen.
   */
  upload_file: {
    data: z.object({ type: z.literal('image'), max_size: z.optional(z.int()) }),
    result: z.object({ url: missing(z.string()) }),
  },
  /** Plays the animation of what a code was redeemed for. */
  prize_animate: { data: z.object({ products: z.array(z.looseObject({})) }), result: nothing },
  buy_produce_boost: {
    data: z.object({
      count: z.int().check(z.gte(1), z.lte(999)),
      produce_id: id,
      produce_info: produceInfo,
    }),
    result: purchase,
  },
  /** `user_id`: the friend who is given it. */
  buy_produce_vip: {
    data: z.object({ produce_id: id, user_id: z.optional(id), produce_info: produceInfo }),
    result: purchase,
  },
  present_pop: { data: present, result: purchase },
  present_golive: { data: present, result: purchase },
  buy_produce_golive: { data: z.object({ produce: z.looseObject({ id }) }), result: purchase },
}

/** What each event of the shell tells. */
export const shellEvents = {
  /** The web view is shown again, after another one or the app itself. */
  on_webview_show: nothing,
  on_click_navigation_left: nothing,
  on_click_navigation_right: nothing,
}

const SECOND = 1_000
const MINUTE = 60 * SECOND

/**
 * How long each call may take, ms: where a person chooses, pays or is asked for a permission, as long as that
 * takes. chat.md §9.
 */
export const SHELL_TIMEOUTS: Readonly<Record<keyof typeof shellCalls, number>> = {
  get_app_config: 10 * SECOND,
  jump_guild: 5 * SECOND,
  join_audio: MINUTE,
  new_page: 5 * SECOND,
  get_page_data: 5 * SECOND,
  close_webview: 5 * SECOND,
  show_navigation_bar: 5 * SECOND,
  hide_navigation_bar: 5 * SECOND,
  upload_file: 10 * MINUTE,
  prize_animate: MINUTE,
  buy_produce_boost: 15 * MINUTE,
  buy_produce_vip: 15 * MINUTE,
  present_pop: 15 * MINUTE,
  present_golive: 15 * MINUTE,
  buy_produce_golive: 15 * MINUTE,
}

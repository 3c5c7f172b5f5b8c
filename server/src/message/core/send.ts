/** Sending a message: the order of steps that channels and private chats share. */
import { Failure, fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import type { VideoLooks } from '@guildhall/wire/message/attachment.ts'
import type { MessageKind } from '@guildhall/wire/message/kind.ts'
import { heldChanged } from '@guildhall/wire/moderation/event.ts'
import type { Author } from '@guildhall/wire/user/shown.ts'
import { type AppContext, commit } from '../../kit/events/events.ts'
import type { Stopped } from '../../kit/moderation.ts'
import { type HeldTarget, holdFor, type ScreenedMessage } from '../../kit/screening.ts'
import type { FetchPicture } from '../card/card.ts'
import { requireSendable, type Said, storedContent } from '../content.ts'
import type { Media } from '../media/media.ts'
import { heldOf } from '../screenedTexts.ts'

/** What an author says. */
export interface Typed {
  /** Text or the address of a file; of cards their JSON. */
  readonly content: string
  /** Null for a number that names no kind. */
  readonly kind: MessageKind | null
  /** The message it answers. */
  readonly quote?: string | undefined
  /** Of a video: cover, size and duration as its sender states them. */
  readonly looks?: VideoLooks | undefined
}

/** How it is sent. */
export interface SendOptions {
  readonly nonce: string
  /** The public address of the server, in front of those of files. Absent: addresses have none. */
  readonly origin?: string
  /**
   * With a `kind` of media: a file that the author may show although it is not theirs, as of a message that
   * they forward.
   */
  readonly file?: Media | undefined
  /** How a card's pictures of the web are fetched; without it none are. */
  readonly fetchPicture?: FetchPicture | undefined
  /** Staff have agreed: it is judged no more, and does not count again. */
  readonly isApproved?: boolean
  /** Nobody could send it later: what would be held is refused. */
  readonly isForNow?: boolean
}

/** Who sends, and what they say. A conversation adds what else it knows of them. */
export interface Sender {
  readonly author: Pick<Author, 'bot'>
  readonly typed: Typed
}

/** A message that may be stored. */
export interface Checked<Mentions> extends Said {
  readonly nonce: string
  readonly media: Media | null
  readonly mentions: Mentions
}

/**
 * Where one message is sent to: permissions, limits and tables of one kind of conversation. `S`: its sender;
 * `At`: the conversation as its sender writes in it; `Sent`: the answer.
 */
export interface Destination<S extends Sender, At, Mentions, Sent> {
  /** @throws Failure when the author may send nothing here */
  sender(): Promise<S>
  /**
   * What the author sent here under the nonce, which is not empty; null: nothing.
   * @throws Failure message.deleted, and message.nonce_used for another message than `said`
   */
  sentBefore(said: Said): Promise<Sent | null>
  /** @throws Failure when the author may not write in the conversation now */
  enter(sender: S): Promise<At>
  /**
   * The file of a message of media; null for other kinds. @throws Failure for a file that may not be shown
   */
  media(at: At, said: Said, typed: Typed): Promise<Media | null>
  /** @throws Failure emoji.elsewhere */
  mentions(at: At, said: Said): Promise<Mentions>
  noMentions(text: string): Mentions
  heldTarget(at: At): HeldTarget
  /** What the rules of the guild say of it; null: it passes. Absent: there are none. */
  stopped?(at: At, said: Said, media: Media | null, mentions: Mentions): Promise<Stopped | null>
  /** Counts a message that was judged. @throws Failure when it is too soon for another */
  count?(at: At): Promise<void>
  /** Resolves like `ready`, after what the author sent here earlier. */
  inOrder<T>(ready: Promise<T>): Promise<T>
  /**
   * Stores and publishes; answers after the commit. Null: the nonce was used, or the conversation is gone.
   */
  store(at: At, message: Checked<Mentions>): Promise<Sent | null>
}

type Prepared<At, Mentions, Sent> =
  | { readonly state: 'ready'; readonly at: At; readonly message: Checked<Mentions> }
  | { readonly state: 'sent_before'; readonly first: Sent }

type Judged<At, Mentions> =
  | { readonly state: 'ready'; readonly at: At; readonly message: Checked<Mentions> }
  /** The function refuses the message; one that waits for staff is held by it. */
  | { readonly state: 'refused'; readonly refuse: () => Promise<never> }

/**
 * Sends a message; answers after the commit. Idempotent by nonce: one that the same author used in the same
 * conversation answers with the first message and sends nothing, whatever the rules say now; that of a
 * deleted or of another message is refused.
 * @throws Failure message.kind_refused, message.empty, message.too_long, message.deleted, message.nonce_used,
 *   card.invalid (detail.at, detail.why), asset.unknown, bad_json, content.refused, content.held,
 *   content.rejected, and what the destination refuses with
 */
export const sendTo = <S extends Sender, At, Mentions, Sent>(
  appContext: AppContext,
  userId: UserId,
  to: Destination<S, At, Mentions, Sent>,
  options: SendOptions,
): Promise<Sent> => new Send(appContext, userId, to, options).run()

class Send<S extends Sender, At, Mentions, Sent> {
  readonly #appContext: AppContext
  readonly #userId: UserId
  readonly #to: Destination<S, At, Mentions, Sent>
  readonly #options: SendOptions

  constructor(
    appContext: AppContext,
    userId: UserId,
    to: Destination<S, At, Mentions, Sent>,
    options: SendOptions,
  ) {
    this.#appContext = appContext
    this.#userId = userId
    this.#to = to
    this.#options = options
  }

  async run(): Promise<Sent> {
    const prepared = await this.#to.inOrder(this.#prepare())
    if (prepared.state === 'sent_before') return prepared.first
    const { at, message } = prepared
    const sent = await this.#to.store(at, message)
    // Neither stored nor sent before: the conversation was deleted after the author's access was looked up.
    return sent ?? (await this.#sentBefore(message)) ?? refuse(fail('forbidden'))
  }

  /** Checks a send and makes everything of the message but its number and time. */
  async #prepare(): Promise<Prepared<At, Mentions, Sent>> {
    const { origin = '', fetchPicture } = this.#options
    const sender = await this.#to.sender()
    const { kind, content: given } = sender.typed
    requireSendable(kind, sender.author)
    // A repeated card may be invalid by now, its countdown being over, and its pictures are not fetched
    // twice. Of other kinds the store finds the first message, without a further query for each send.
    const sentCard = kind === 'card' ? await this.#sentBefore({ kind, content: given }) : null
    if (sentCard) return { state: 'sent_before', first: sentCard }
    const asked = { content: given, origin, fetchPicture }
    const said = { kind, content: await storedContent(this.#appContext, this.#userId, kind, asked) }
    const judged = await this.#judge(sender, said).catch(refusedBy)
    if (judged.state === 'ready') return judged
    return { state: 'sent_before', first: (await this.#sentBefore(said)) ?? (await judged.refuse()) }
  }

  /** What the conversation, the rules of words and the limits say of a message. */
  async #judge(sender: S, said: Said): Promise<Judged<At, Mentions>> {
    const at = await this.#to.enter(sender)
    const media = await this.#to.media(at, said, sender.typed)
    const mentions = media ? this.#to.noMentions(media.words) : await this.#to.mentions(at, said)
    const { nonce, isApproved } = this.#options
    if (!isApproved) {
      const typed = { ...sender.typed, ...said }
      const hold = await this.#holdOf(at, typed, media)
      const stopped = (await this.#to.stopped?.(at, said, media, mentions)) ?? null
      await this.#to.count?.(at)
      // What both hold waits for staff.
      if (stopped && (hold === null || stopped.heldBy === null))
        return { state: 'refused', refuse: () => this.#refuse(stopped, this.#screened(at, typed, media)) }
      if (hold) return { state: 'refused', refuse: hold }
    }
    const { kind } = said
    return {
      state: 'ready',
      at,
      message: { kind, content: media?.content ?? said.content, nonce, media, mentions },
    }
  }

  /** Null: the message may be shown. Otherwise it is to be held, which the function does. */
  async #holdOf(at: At, typed: Typed & Said, media: Media | null): Promise<(() => Promise<never>) | null> {
    const { screening } = this.#appContext
    if (!screening?.isOn) return null
    const { isForNow } = this.#options
    return holdFor(screening, { ...this.#screened(at, typed, media), isForNow })
  }

  #screened(at: At, typed: Typed & Said, media: Media | null): ScreenedMessage {
    const { nonce, file, origin = '' } = this.#options
    const { kind, content, quote, looks } = typed
    // All that sending it later needs.
    const input = { kind, content, quote: quote || undefined, looks, file, origin }
    return { ...heldOf(input, media), to: this.#to.heldTarget(at), nonce, authorId: this.#userId }
  }

  /** By the rules of the guild. What cannot be sent later is refused instead of held. */
  async #refuse({ heldBy, act, failure }: Stopped, message: ScreenedMessage): Promise<never> {
    const { screening } = this.#appContext
    if (heldBy === null || !screening || this.#options.isForNow) {
      await act()
      throw failure
    }
    await screening.refuseHeldBefore(message)
    await act()
    await commit(this.#appContext, async (tx, emit) => {
      await screening.holdForGuild(tx, message, heldBy)
      const { to } = message
      if (to.target === 'channel') emit.guild(to.guildId, heldChanged, {}, to.channelId)
    })
    throw fail('content.held')
  }

  async #sentBefore({ kind, content }: Said): Promise<Sent | null> {
    return this.#options.nonce === '' ? null : this.#to.sentBefore({ kind, content })
  }
}

const refuse = (failure: Failure): Promise<never> => Promise.reject(failure)

function refusedBy(error: unknown): { readonly state: 'refused'; readonly refuse: () => Promise<never> } {
  if (!(error instanceof Failure)) throw error
  return { state: 'refused', refuse: () => refuse(error) }
}

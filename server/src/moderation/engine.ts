/** Judges messages by the rules of their guild, which are kept in memory until they change. Decision 118. */
import { createHash } from 'node:crypto'
import { type FailureName, fail } from '@guildhall/wire/failure.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { guildOfInvite } from '../invite/invite.ts'
import type { AppContext } from '../kit/events/events.ts'
import type { Jobs } from '../kit/jobs.ts'
import type { RateLimiter } from '../kit/limits/rateLimit.ts'
import type { Log } from '../kit/log.ts'
import type { Joining, ModeratedMessage, Moderation, Stopped } from '../kit/moderation.ts'
import { muteByRule } from '../member/member.ts'
import { notifyChannel } from '../message/message.ts'
import { readSimplified } from '../screening/screening.ts'
import { type Catches, catchesOf, isLeftAlone, sameOf } from './catches.ts'
import { noticeOf } from './notice.ts'
import { requireNoRaid } from './raid.ts'
import { Standings } from './restriction/standing.ts'
import * as rows from './sql.ts'

export interface EngineDeps {
  readonly appContext: AppContext
  readonly jobs: Pick<Jobs, 'send' | 'wake'>
  /** Where floods are counted, for all nodes. */
  readonly windows: RateLimiter
  readonly log: Log
}

/** Guilds whose rules are kept. */
const GUILDS_MAX = 2_000
/** What a rule tells a channel in a minute: a flood that is stopped makes no flood of its own. */
const NOTICES = { name: 'rule notices', most: 10, windowMs: 60 * SECOND_MS } as const

interface Ready {
  readonly rule: rows.RuleRow
  readonly catches: Catches
}

interface Known {
  readonly version: number
  readonly rules: Promise<readonly Ready[]>
}

export const openModeration = (deps: EngineDeps): Moderation => new Engine(deps)

class Engine implements Moderation {
  readonly #deps: EngineDeps
  readonly #guilds = new Map<GuildId, Known>()
  readonly #standings: Standings

  constructor(deps: EngineDeps) {
    this.#deps = deps
    this.#standings = new Standings(deps.appContext)
  }

  async judge(message: ModeratedMessage, version: number, isNew: boolean): Promise<Stopped | null> {
    const caught: rows.RuleRow[] = []
    for (const { rule, catches } of await this.#rulesOf(message.guildId, version)) {
      if (isLeftAlone(rule, message)) continue
      const isCaught = rule.kind === 'flood' ? isNew && (await this.#floods(rule, message)) : catches(message)
      if (await isCaught) caught.push(rule)
    }
    if (caught.length === 0) return null
    const has = (type: string) => caught.find(({ acts }) => acts.some((act) => act.type === type))
    const [refuses, holds] = [has('delete'), has('hold')]
    const stops = refuses ?? holds
    const act = () => this.#act(caught, message)
    if (stops === undefined) {
      await act()
      return null
    }
    const own = stops.message === '' ? {} : { own_words: stops.message }
    const failure = fail(`moderation.${stops.kind}` satisfies FailureName, { name: stops.name, ...own })
    return { heldBy: refuses ? null : stops.id, act, failure }
  }

  joining(who: Joining, isMember: () => Promise<boolean>): Promise<void> {
    return requireNoRaid(this.#deps, who, isMember)
  }

  #rulesOf(guildId: GuildId, version: number): Promise<readonly Ready[]> {
    const known = this.#guilds.get(guildId)
    if (known && known.version >= version) return known.rules
    if (this.#guilds.size >= GUILDS_MAX) this.#guilds.clear()
    const rules = this.#read(guildId)
    this.#guilds.set(guildId, { version, rules })
    // What could not be read is read again by the next message.
    rules.catch(() => this.#guilds.delete(guildId))
    return rules
  }

  async #read(guildId: GuildId): Promise<readonly Ready[]> {
    const { db, publicUrl } = this.#deps.appContext
    const known = {
      simplified: await readSimplified(),
      host: new URL(publicUrl).host,
      guildId,
      guildOf: (code: string) => guildOfInvite(db, code),
      standingOf: (userId: UserId) => this.#standings.of(guildId, userId),
    }
    const all = await rows.ofGuild(db, guildId)
    return all
      .filter(({ is_on, kind }) => is_on && kind !== 'raid')
      .map((rule) => ({ rule, catches: catchesOf(rule, known) }))
  }

  async #floods(rule: rows.RuleRow, { authorId, texts }: ModeratedMessage): Promise<boolean> {
    const { count, repeats, seconds = 0 } = rule.looks_for
    const isOver = async (name: string, key: string, most: number | undefined) =>
      most !== undefined && (await this.#deps.windows.count(name, key, seconds * SECOND_MS)).spent > most
    const who = `${rule.id} ${authorId}`
    const isFast = await isOver('rule messages', who, count)
    const same = repeats === undefined ? '' : sameOf(texts, await readSimplified())
    const hash = createHash('sha256').update(same).digest('base64')
    return (same !== '' && (await isOver('rule repeats', `${who} ${hash}`, repeats))) || isFast
  }

  /** Each rule does its acts, whatever becomes of those of another. */
  async #act(caught: readonly rows.RuleRow[], message: ModeratedMessage): Promise<void> {
    const { appContext, jobs, windows, log } = this.#deps
    const day = rows.today()
    const { guildId, authorId } = message
    const trying = async (work: () => Promise<unknown>) => {
      try {
        await work()
      } catch (error) {
        log.warn({ err: error }, 'a rule of a guild could not do what it does')
      }
    }
    for (const rule of caught) {
      await trying(() => rows.countCaught(appContext.db, rule.id, day))
      for (const { type, duration = 0, channel_id } of rule.acts) {
        if (type === 'mute') {
          const by = { userId: rule.user_id, reason: rule.name }
          await trying(() =>
            muteByRule({ appContext, jobs }, { guildId, targetId: authorId, seconds: duration, by }),
          )
        }
        if (type !== 'notify' || channel_id === undefined) continue
        const { spent } = await windows.count(NOTICES.name, rule.id, NOTICES.windowMs)
        if (spent > NOTICES.most) continue
        await trying(() =>
          notifyChannel(appContext, { guildId, channelId: channel_id }, (tx) => noticeOf(tx, rule, message)),
        )
      }
    }
  }
}

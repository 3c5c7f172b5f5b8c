/**
 * The rosters that this process keeps: those of the guilds whose members were asked for last. Decision 61.
 */
import type { GuildId } from '@guildhall/wire/id.ts'
import type { Topic } from '../kit/events/bus.ts'
import type { AppContext } from '../kit/events/events.ts'
import { Roster } from './roster.ts'

/** Members of all rosters together: about half a kilobyte each. One larger guild is kept alone. */
const MEMBERS_MAX = 300_000
const ROSTERS_MAX = 500

interface Kept {
  readonly roster: Roster
  readonly ready: Promise<void>
  readonly topic: Topic
}

export class Rosters {
  readonly #appContext: Pick<AppContext, 'db' | 'bus' | 'presence'>
  /** The one asked for last comes last. */
  readonly #kept = new Map<GuildId, Kept>()
  readonly #max: { readonly members: number; readonly rosters: number }
  readonly #unsubscribe: (() => void)[]

  constructor(
    appContext: Pick<AppContext, 'db' | 'bus' | 'presence'>,
    max = { members: MEMBERS_MAX, rosters: ROSTERS_MAX },
  ) {
    this.#appContext = appContext
    this.#max = max
    this.#unsubscribe = [
      appContext.bus.subscribe((event) => {
        if (event.to === 'guild') this.#kept.get(event.guildId)?.roster.receive(event)
      }),
      appContext.presence.onChange((userIds) => {
        for (const userId of userIds) for (const { roster } of this.#kept.values()) roster.move(userId)
      }),
    ]
  }

  /** The roster of a guild, loaded when it is not kept; null when there is no such guild. */
  async of(guildId: GuildId): Promise<Roster | null> {
    const known = this.#kept.get(guildId)
    if (known?.roster.isLost) this.#drop(guildId)
    const kept = known && !known.roster.isLost ? known : this.#open(guildId)
    this.#kept.delete(guildId)
    this.#kept.set(guildId, kept)
    await kept.ready
    this.#dropOld(guildId)
    return kept.roster.isLost && kept.roster.size === 0 ? null : kept.roster
  }

  close(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
    for (const guildId of [...this.#kept.keys()]) this.#drop(guildId)
  }

  #open(guildId: GuildId): Kept {
    const roster = new Roster(guildId, this.#appContext)
    const topic: Topic = `guild:${guildId}`
    const { bus } = this.#appContext
    const load = async () => {
      try {
        await bus.watch(topic)
        await roster.load((seq) => bus.start(topic, seq))
      } catch (error) {
        roster.isLost = true
        throw error
      }
    }
    return { roster, topic, ready: load() }
  }

  #dropOld(newest: GuildId): void {
    let members = 0
    for (const { roster } of this.#kept.values()) members += roster.size
    for (const [guildId, { roster }] of this.#kept) {
      if (members <= this.#max.members && this.#kept.size <= this.#max.rosters) return
      if (guildId === newest) continue
      members -= roster.size
      this.#drop(guildId)
    }
  }

  #drop(guildId: GuildId): void {
    const kept = this.#kept.get(guildId)
    if (!kept) return
    this.#kept.delete(guildId)
    this.#appContext.bus.unwatch(kept.topic)
  }
}

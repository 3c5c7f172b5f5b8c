/** What a rule would have caught of what was said last. Decision 118. */
import { fail } from '@guildhall/wire/failure.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { isAboveRules } from '@guildhall/wire/moderation/exempt.ts'
import {
  TRIED_ITEMS,
  TRIED_MESSAGES,
  type tryRule as tryRuleRoute,
} from '@guildhall/wire/moderation/moderation.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import type { AnswerOf, InputOf } from '@guildhall/wire/route.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { visibleTextChannels } from '../channel/channel.ts'
import { guildOfInvite } from '../invite/invite.ts'
import type { AppContext } from '../kit/events/events.ts'
import { type SaidLately, saidLately } from '../message/message.ts'
import { requireGuildRight } from '../role/role.ts'
import { readSimplified } from '../screening/screening.ts'
import { catchesOf, isLeftAlone, sameOf } from './catches.ts'
import { type Standing, standingsIn } from './restriction/standing.ts'
import { exemptOf, looksForOf, resolved } from './rules.ts'
import type { LooksFor } from './sql.ts'

type Answer = AnswerOf<typeof tryRuleRoute>

const NONE: Promise<ReadonlyMap<UserId, Standing>> = Promise.resolve(new Map())

/**
 * Tries a rule on the last messages that the caller may read. Nothing is changed, and nobody is told.
 * @throws Failure forbidden, member.no_right, bad_input (detail.fields), moderation.word_wrong,
 *   moderation.guild_wrong, realname.off, channel.unknown, role.unknown
 */
export async function tryRule(
  appContext: Pick<AppContext, 'db' | 'publicUrl' | 'verifiesNames'>,
  userId: UserId,
  input: InputOf<typeof tryRuleRoute>,
): Promise<Answer> {
  const { db, publicUrl } = appContext
  const guildId: GuildId = input.guild_id
  const { summary, roles } = await requireGuildRight(db, userId, guildId, permission.manage_guild)
  if (input.kind === 'raid') throw fail('bad_input', { fields: ['kind'] })
  const rule = { kind: input.kind, looks_for: looksForOf(await resolved(db, input), appContext) }
  const exempt = await exemptOf(db, guildId, input, null)
  const channels = (await visibleTextChannels(db, userId, guildId)) ?? []
  const said = await saidLately(db, guildId, channels, TRIED_MESSAGES)
  const simplified = await readSimplified()
  const standings =
    input.kind === 'restriction'
      ? standingsIn(
          appContext,
          guildId,
          said.map((it) => it.user_id),
        )
      : NONE
  const catches = catchesOf(rule, {
    simplified,
    host: new URL(publicUrl).host,
    guildId,
    guildOf: (code) => guildOfInvite(db, code),
    standingOf: async (id) => (await standings).get(id) ?? null,
  })
  const floods = floodsIn(rule.looks_for, (it) => sameOf(it.texts, simplified))
  const items: Answer['items'] = []
  let caught = 0
  // Floods are counted from the oldest on.
  for (const it of said.toReversed()) {
    const viewer = { is_master: it.user_id === summary.user_id, roles: it.roles }
    const message = messageOf(it)
    if (it.bot || isAboveRules(viewer, roles) || isLeftAlone(exempt, message)) continue
    if (!(rule.kind === 'flood' ? floods(it) : await catches(message))) continue
    caught += 1
    const { msg_id, channel_id, channel_name, user_id, username, texts, create_at } = it
    items.push({ msg_id, channel_id, channel_name, user_id, username, content: texts[0] ?? '', create_at })
  }
  // Whose account is how is nobody's to look up: of restrictions it is said how many they would stop.
  const shown = input.kind === 'restriction' ? [] : items.reverse().slice(0, TRIED_ITEMS)
  return { tried: said.length, caught, items: shown }
}

const messageOf = (it: SaidLately) => ({
  ...it,
  authorId: it.user_id,
  channelId: it.channel_id,
  categoryId: it.parent_id,
  joinedAt: it.joined_at,
  hasFiles: it.has_files,
  at: it.create_at,
})

/** Counts messages as the engine does: in windows that begin with the first one of somebody. */
function floodsIn({ count, repeats, seconds = 0 }: LooksFor, sameIn: (it: SaidLately) => string) {
  const windows = new Map<string, { readonly from: number; spent: number }>()
  const isOver = (key: string, at: number, most: number | undefined): boolean => {
    if (most === undefined) return false
    const known = windows.get(key)
    const window = known && at - known.from < seconds * SECOND_MS ? known : { from: at, spent: 0 }
    windows.set(key, window)
    window.spent += 1
    return window.spent > most
  }
  return (it: SaidLately): boolean => {
    const isFast = isOver(it.user_id, it.create_at, count)
    const same = sameIn(it)
    return (same !== '' && isOver(`${it.user_id} ${same}`, it.create_at, repeats)) || isFast
  }
}

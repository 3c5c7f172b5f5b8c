/** `review …`: what waits for a decision. */
import { REVIEW_KINDS } from '@guildhall/wire/staff/reviews.ts'
import { HOUR_MS } from '@guildhall/wire/unit.ts'
import { openFileAddresses } from '../asset/asset.ts'
import type { ChatContext } from '../chat/chat.ts'
import { clock } from '../kit/clock.ts'
import type { AppContext } from '../kit/events/events.ts'
import { OperatorError } from '../kit/operatorError.ts'
import { LISTED_MAX, listCases } from '../review/review.ts'
import { heldReviewsOf, waitingHeld } from '../screening/screening.ts'
import { decideHeld, decideReview, recommendBy } from '../staff/staff.ts'
import { type Commands, guildFor, id, OPERATOR } from './command.ts'

const REASON_MAX = 200

export const reviewCommands: Commands = {
  'guild recommend': {
    usage: '--guild GUILD_ID [--off] [--reason TEXT]',
    recordsItself: true,
    async run({ guild = '', off, reason }, { appContext }) {
      const guildId = await guildFor(appContext.db, guild)
      const isOn = off === undefined
      const changed = await recommendBy(appContext, OPERATOR, { guildId, isOn, reason })
      return { id: guildId, recommended: isOn, changed }
    },
  },

  'review list': {
    usage: '',
    isReading: true,
    async run(_options, { appContext }) {
      const listed = await Promise.all([listCases(appContext.db), listHeld(appContext)])
      return listed.flat().sort((a, b) => a.created_at - b.created_at)
    },
  },

  'review decide': {
    usage: `--id ID [--kind ${REVIEW_KINDS.join('|')}] [--pass] [--reject] [--reason TEXT]`,
    async run({ id: given = '', kind = 'guild', pass, reject, reason = '' }, { appContext }) {
      const caseId = id('id', given)
      if (!REVIEW_KINDS.some((each) => each === kind))
        throw new OperatorError(`--kind must be one of ${REVIEW_KINDS.join(', ')}, not "${kind}".`)
      const isPassed = pass !== undefined
      if (isPassed === (reject !== undefined)) throw new OperatorError('Say either --pass or --reject.')
      const why = reason.trim()
      if (!isPassed && (why === '' || [...why].length > REASON_MAX))
        throw new OperatorError(`A rejection needs a --reason of 1 to ${REASON_MAX} characters.`)
      const it = { id: caseId, isPassed, reason: why }
      const status = isPassed ? 'passed' : 'rejected'
      if (kind === 'message') {
        await decideHeld({ appContext: await chatContextOf(appContext) }, OPERATOR, it)
        return { id: caseId, kind, status }
      }
      const decided = await decideReview(appContext, OPERATOR, it)
      return { id: decided.id, kind, guild_id: decided.guild_id, status }
    },
  },
}

const chatContextOf = async (appContext: AppContext): Promise<ChatContext> => ({
  ...appContext,
  addresses: await openFileAddresses(appContext.db, appContext.publicUrl),
})

/** Held messages that wait, the oldest first. */
async function listHeld(appContext: AppContext) {
  const held = await heldReviewsOf(
    await chatContextOf(appContext),
    await waitingHeld(appContext.db, LISTED_MAX),
  )
  return held.map(({ id, kind, guild_id, channel_id, target_id, user_id, created_at, ...it }) => ({
    id,
    kind,
    guild_id,
    channel_id,
    target_id,
    user_id,
    created_at,
    waits_hours: Math.floor((clock.now() - created_at) / HOUR_MS),
    words: it.words,
    file: it.file,
    pictures: it.pictures,
    why: it.why,
  }))
}

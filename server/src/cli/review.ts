/** `review …`: what waits for a decision. */
import { OperatorError } from '../kit/operatorError.ts'
import { listCases } from '../review/review.ts'
import { decideReview, recommendBy } from '../staff/staff.ts'
import { type Commands, guildFor, id, OPERATOR } from './command.ts'

const REASON_MAX = 200

export const reviewCommands: Commands = {
  'guild recommend': {
    usage: '--guild GUILD_ID [--off] [--reason TEXT]',
    recordsItself: true,
    async run({ guild = '', off, reason }, { live }) {
      const guildId = await guildFor(live.db, guild)
      const isOn = off === undefined
      const changed = await recommendBy(live, OPERATOR, { guildId, isOn, reason })
      return { id: guildId, recommended: isOn, changed }
    },
  },

  'review list': { usage: '', isReading: true, run: (_options, { live }) => listCases(live.db) },

  'review decide': {
    usage: '--id ID [--pass] [--reject] [--reason TEXT]',
    async run({ id: given = '', pass, reject, reason = '' }, { live }) {
      const caseId = id('id', given)
      const isPassed = pass !== undefined
      if (isPassed === (reject !== undefined)) throw new OperatorError('Say either --pass or --reject.')
      const why = reason.trim()
      if (!isPassed && (why === '' || [...why].length > REASON_MAX))
        throw new OperatorError(`A rejection needs a --reason of 1 to ${REASON_MAX} characters.`)
      const decided = await decideReview(live, OPERATOR, { id: caseId, isPassed, reason: why })
      return { id: decided.id, guild_id: decided.guild_id, status: isPassed ? 'passed' : 'rejected' }
    },
  },
}

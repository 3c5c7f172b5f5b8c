/** `numbers show`: the numbers of this site by day. */
import { keepNumbers, readNumbers } from '../staff/staff.ts'
import { type Commands, count } from './command.ts'

const DAYS = 7
const DAYS_MOST = 90

export const numberCommands: Commands = {
  'numbers show': {
    usage: '[--days N]',
    isReading: true,
    async run({ days }, { appContext }) {
      await keepNumbers(appContext.db)
      return readNumbers(appContext.db, days === undefined ? DAYS : count('days', days, DAYS_MOST))
    },
  },
}

/** `search …`: the index of the search. */
import { OperatorError } from '../kit/operatorError.ts'
import { differences, progress, rebuild } from '../search/search.ts'
import type { Commands } from './command.ts'

const REPORTED_EVERY_MS = 2000
const PER_CENT = 100

export const searchCommands: Commands = {
  'search rebuild': {
    usage: '',
    async run(_options, { database }) {
      let index = ''
      const report = async () => {
        const part = await database.alone(progress).catch(() => null)
        if (part !== null) process.stderr.write(`${index} ${Math.round(part * PER_CENT)} %\n`)
      }
      const timer = setInterval(() => void report(), REPORTED_EVERY_MS)
      try {
        const made = await database.alone((query) => rebuild(query, (name) => (index = name)))
        if (!made) throw new OperatorError('Another process makes the index already.')
        return { made }
      } finally {
        clearInterval(timer)
      }
    },
  },

  'search check': {
    usage: '',
    isReading: true,
    async run(_options, { database }) {
      const found = await database.alone(differences)
      if (found.length > 0) process.exitCode = 1
      return { ok: found.length === 0, differences: found }
    },
  },
}

/** `word …`: the list of refused and held words. */
import { readFile } from 'node:fs/promises'
import {
  WORD_ACTIONS,
  WORD_TARGETS,
  WORDS_MAX,
  type WordAction,
  type WordTarget,
} from '@guildhall/wire/staff/words.ts'
import { OperatorError } from '../kit/operatorError.ts'
import { pageOfRules } from '../screening/screening.ts'
import { addWord, importWords, removeWord } from '../staff/words/words.ts'
import { type Commands, OPERATOR } from './command.ts'

const REASON = 'by command'
/** A file of the most rules there may be, with long notes. */
const FILE_MAX = 16 * 1024 * 1024

function readAction(value: string): WordAction {
  const action = WORD_ACTIONS.find((each) => each === value)
  if (!action) throw new OperatorError(`--action must be one of ${WORD_ACTIONS.join(', ')}, not "${value}".`)
  return action
}

/** Targets between commas; empty: everywhere. */
function readTargets(value: string): WordTarget[] {
  if (value === '') return [...WORD_TARGETS]
  return value.split(',').map((given) => {
    const target = WORD_TARGETS.find((each) => each === given.trim())
    if (!target) throw new OperatorError(`--places must be of ${WORD_TARGETS.join(',')}, not "${value}".`)
    return target
  })
}

/**
 * One rule a line: `word`, then action, places and note if they are given, between tabs. Lines that begin
 * with `#` are skipped.
 */
export function readRules(text: string, action: WordAction) {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/)
  return lines.flatMap((line) => {
    if (line.trim() === '' || line.startsWith('#')) return []
    const [word = '', given = '', places = '', note = ''] = line.split('\t')
    return [
      {
        word: word.trim(),
        action: given.trim() === '' ? action : readAction(given.trim()),
        places: readTargets(places.trim()),
        note: note.trim().slice(0, 200),
      },
    ]
  })
}

export const wordCommands: Commands = {
  'word list': {
    usage: '[--word BEGINNING] [--before ID]',
    isReading: true,
    async run({ word, before }, { appContext }) {
      const { items } = await pageOfRules(appContext.db, {
        ...(word && { word }),
        ...(before && /^\d{1,15}$/.test(before) && { before: Number(before) }),
      })
      return items
    },
  },
  'word add': {
    usage: `--word WORD [--action ${WORD_ACTIONS.join('|')}] [--places ${WORD_TARGETS.join(',')}] [--note TEXT]`,
    recordsItself: true,
    async run({ word = '', action = 'refuse', places = '', note = '' }, { appContext }) {
      const rule = { word, action: readAction(action), places: readTargets(places), note: note.slice(0, 200) }
      return { id: await addWord(appContext, OPERATOR, { ...rule, reason: REASON }), ...rule }
    },
  },
  'word remove': {
    usage: '--word WORD',
    recordsItself: true,
    run: async ({ word = '' }, { appContext }) => ({
      id: await removeWord(appContext, OPERATOR, { word }, REASON),
      word,
    }),
  },
  'word import': {
    usage: `--file FILE [--action ${WORD_ACTIONS.join('|')}]`,
    recordsItself: true,
    async run({ file = '', action = 'refuse' }, { appContext }) {
      const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
        throw new OperatorError(`${file} cannot be read: ${error.code}.`)
      })
      if (bytes.byteLength > FILE_MAX) throw new OperatorError(`${file} is too large.`)
      const rules = readRules(bytes.toString('utf8'), readAction(action))
      if (rules.length > WORDS_MAX) throw new OperatorError(`There may be at most ${WORDS_MAX} rules.`)
      return { given: rules.length, added: await importWords(appContext, OPERATOR, rules, REASON) }
    },
  },
}

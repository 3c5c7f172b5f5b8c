/** The growth of a guild as a table for a spreadsheet. */
import { CSV_MARK, csvRow } from '@guildhall/wire/csv.ts'
import type { viewGrowth } from '@guildhall/wire/growth/growth.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'

export type Growth = AnswerOf<typeof viewGrowth>

/** A row for each day: `headings` of the day and its counts, then the messages of each channel. */
export const growthCsv = (
  { days, channels }: Pick<Growth, 'days' | 'channels'>,
  headings: readonly string[],
): string =>
  CSV_MARK +
  csvRow([...headings, ...channels.map(({ name }) => name)]) +
  days
    .map((it, at) =>
      csvRow([
        it.day,
        it.joins,
        it.leaves,
        it.active,
        it.messages,
        ...channels.map(({ messages }) => messages[at] ?? 0),
      ]),
    )
    .join('')

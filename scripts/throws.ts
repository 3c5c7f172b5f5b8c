/** What docstrings say of failures: each name behind their `throws` is one of the catalogue. */
import { isFailureName } from '@guildhall/wire/failure.ts'

const DOC = /\/\*\*[\s\S]*?\*\//g
const THROWS = /@throws Failure\b([\s\S]*?)(?=@\w|;|\*\/)/g
/** An item that names no failure: whose failures they are instead, or when one is thrown. */
const PROSE = /^(?:as|what|those|also|whether|for|when|or|it) /

/** The items of one list: without asides, and without the stars of its lines. */
const itemsOf = (list: string): string[] =>
  list
    .replace(/\n\s*\*/g, ' ')
    .replace(/\([^()]*\)/g, '')
    .split(/,|\band\b/)
    .map((item) => item.trim())
    .filter((item) => item !== '' && !PROSE.test(`${item} `))

/** The names in the lists of a source, as they stand there. What follows a name in its item says when. */
export const thrownNames = (source: string): string[] =>
  (source.match(DOC) ?? []).flatMap((doc) =>
    [...doc.matchAll(THROWS)].flatMap(([, list = '']) =>
      itemsOf(list).map((item) => item.replace(/[.:]?(?:\s[\s\S]*)?$/, '')),
    ),
  )

/** Every name that is not in the catalogue, as sentences. `a.*`: those of a noun. */
export const wrongThrows = (file: string, source: string): string[] =>
  thrownNames(source)
    .filter((name) => !isFailureName(name) && !/^\w+\.\*$/.test(name))
    .map((name) => `${file}: @throws names ${name}, which is no failure of wire/src/failure.ts.`)

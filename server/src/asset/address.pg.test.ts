import { parse } from '@guildhall/wire/kmarkdown/kmarkdown.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../testing/database/database.ts'
import { type FileAddresses, openFileAddresses, withoutSignatures } from './asset.ts'

const SITE = 'https://hall.example'
const FILE = `${SITE}/assets/2026-11/abcdefghij0p00go.png`
let database: TestDatabase
let addresses: FileAddresses
beforeAll(async () => {
  database = await openTestDatabase()
  addresses = await openFileAddresses(database.db, SITE)
})
afterAll(() => database?.close())
const signedIn = (text: string) => addresses.signedIn(text, '7')

describe('in a text', () => {
  it.each([
    'https://evil.example/assets/2026-11/abcdefghij0p00go.png',
    `${SITE}.evil.example/assets/2026-11/abcdefghij0p00go.png`,
    `${SITE}/g/hall 和 ${SITE}/assets/none.png`,
    'a/assets/2026-11/abcdefghij0p00go.png',
  ])('%s is not signed', (text) => {
    expect(signedIn(text)).toBe(text)
  })

  it('addresses of files here are, once, with what follows them', () => {
    const signed = addresses.signed(FILE, '7')
    for (const [text, expected] of [
      [`看${FILE}，还有${FILE}`, `看${signed}，还有${signed}`],
      [`[图](${FILE})`, `[图](${signed})`],
      [`是${FILE}?`, `是${signed}?`],
      [`${FILE}?side=160`, `${signed}&side=160`],
      [signed, signed],
      [`${signed}&side=160`, `${signed}&side=160`],
    ] as const)
      expect([text, signedIn(text)]).toEqual([text, expected])
  })

  it('a signature is no KMarkdown: the address stays one link', () => {
    const signed = addresses.signed(FILE, '7')
    expect(parse(signedIn(FILE))).toMatchObject([{ tagName: 'a', href: signed }])
    expect(parse(signedIn(`[图](${FILE})`))).toMatchObject([{ tagName: 'a', href: signed }])
  })

  it('is stored without signatures', () => {
    for (const text of [`看${FILE}，`, `[图](${FILE})`, `${FILE}?side=160`, '没有文件'])
      expect(withoutSignatures(signedIn(text))).toBe(text)
    expect(withoutSignatures(addresses.signed(FILE))).toBe(FILE)
  })
})

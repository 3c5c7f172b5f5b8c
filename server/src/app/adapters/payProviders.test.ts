import type { UserId } from '@guildhall/wire/id.ts'
import { expect, test } from 'vitest'
import { payerPictureOf } from './payProviders.ts'

const BUYER = '3' as UserId
const SITE = 'https://hall.example'

test('the picture of who pays is fetched once by the server, and shown from here', async () => {
  const asked: unknown[] = []
  const picture = payerPictureOf(SITE, async (userId, address) => {
    asked.push([userId, address])
    return `${SITE}/assets/2026-11/x.png`
  })
  expect(await picture(BUYER, 'https://thirdwx.qlogo.cn/a/132')).toBe(`${SITE}/assets/2026-11/x.png`)
  expect(asked).toEqual([[BUYER, 'https://thirdwx.qlogo.cn/a/132']])
})

test('who has none, or one that cannot be fetched, is shown without; one of this site is shown as it is', async () => {
  const broken = payerPictureOf(SITE, async () => {
    throw new Error('the database is away')
  })
  expect(await payerPictureOf(SITE, async () => null)(BUYER, 'https://gone.example/')).toBe('')
  expect(await payerPictureOf(SITE, null)(BUYER, 'https://wx.example/')).toBe('')
  expect(await broken(BUYER, 'https://wx.example/')).toBe('')
  expect(await broken(BUYER, '')).toBe('')
  expect(await broken(BUYER, `${SITE}/avatars/1/A.svg`)).toBe(`${SITE}/avatars/1/A.svg`)
})

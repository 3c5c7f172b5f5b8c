import { expect, test } from 'vitest'
import { sourceHeaders, sourceOf } from './source.ts'

const HERE = 'guild.example'
const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Safari/604.1'

test.each([
  ['', 0],
  ['https://somewhere.example/', 0],
  ['https://notweibo.com/', 0],
  ['https://weibo.com/u/1', 1],
  ['https://m.weibo.cn/status/1', 1],
  ['https://www.bilibili.com/video/BV1', 2],
  ['https://web.telegram.org/', 3],
  ['https://guild.example/invite/abcdef', 4],
  ['https://discord.com/channels/1', 5],
])('somebody who comes from "%s" has the source %i', (referrer, source) => {
  expect(sourceOf(PHONE, referrer, HERE)).toBe(source)
})

test('the in-app browser of a chat app is a source of its own', () => {
  expect(sourceOf(`${PHONE} MicroMessenger/8.0`, 'https://weibo.com/', HERE)).toBe(6)
})

test('the source is sent as a number', () => {
  expect(sourceHeaders).toEqual({ 'x-client-source': '0' })
})

import { expect, it } from 'vitest'
import { gbk } from './gbk.ts'

const read = (bytes: Uint8Array): string => new TextDecoder('gbk').decode(bytes)

it('writes what no GBK has as a question mark', () => {
  expect(read(gbk('a😀b\u0080'))).toBe('a?b?')
})

it('writes the bytes that the standard has', () => {
  expect(Buffer.from(gbk('中文，（元）a1')).toString('hex')).toBe('d6d0cec4a3aca3a8d4aaa3a96131')
})

it('writes every Chinese character of the first plane so that it is read again', () => {
  for (let code = 0x4e00; code <= 0x9fa5; code += 1) {
    const char = String.fromCharCode(code)
    expect(read(gbk(char))).toBe(char)
  }
})

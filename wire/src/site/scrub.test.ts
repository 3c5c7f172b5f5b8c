import { describe, expect, it } from 'vitest'
import { scrubLocation, scrubMessage, scrubName, scrubStack } from './scrub.ts'

const PRIVATE = [
  '13812345678',
  'sKd83jfKq02mdnXz81kdPq7v2mLw9xTz',
  '我的密码是小猫',
  'hello dear friend',
  'someone@example.com',
  'Abc234',
]

describe('what an error report says of a page', () => {
  it('has no values of queries, no fragments, no codes and no tokens', () => {
    for (const [address, scrubbed] of [
      ['https://guild.example/channels/10/20?q=hello&page=2#top', '/channels/10/20?q&page'],
      ['/?redir=%2Fchannels%2F1', '/?redir'],
      ['/login?state=wxlogin.abc&code=secret', '/login?state&code'],
      ['/invite/Abc234', '/invite/:code'],
      ['/user-invite/K7P2W9XM?x=1', '/user-invite/:code?x'],
      ['/attachments/2026-11/23/sKd83jfKq02mdnXz81kdPq7v2mLw9xTz81kd', '/attachments/2026-11/23/…'],
      ['/我的密码', '/…'],
      ['/?我的=1&13812345678=1', '/'],
      ['http://[', ''],
      ['%E0%A4%A', '…'],
    ] as const)
      expect(scrubLocation(address)).toBe(scrubbed)
  })

  it('has nothing that people wrote, no numbers and no tokens in its message', () => {
    for (const secret of PRIVATE)
      for (const message of [
        `Unexpected token in JSON: "${secret}"... is not valid JSON`,
        `no room for '${secret}' here`,
        `could not read \`${secret}\``,
        `cut off "${secret}`,
        `/api/v3/thing?code=${secret} failed`,
        `https://guild.example/login?code=${secret}&x=1 failed`,
      ])
        expect(scrubMessage(message)).not.toContain(secret)
    for (const secret of PRIVATE.filter((each) => !/hello|Abc/.test(each)))
      expect(scrubMessage(`cannot apply ${secret} now`)).not.toContain(secret)
  })

  it('keeps what helps to find the error', () => {
    for (const [message, scrubbed] of [
      [
        "Cannot read properties of undefined (reading 'guild_id')",
        'Cannot read properties of undefined (reading guild_id)',
      ],
      ["undefined is not an object (evaluating 'a.b.c')", 'undefined is not an object (evaluating a.b.c)'],
      ['Maximum call stack size exceeded', 'Maximum call stack size exceeded'],
      ["Can't find variable: foo", "Can't find variable: foo"],
      ['https://guild.example/assets/app-x1.js?t=1 was not found', '/assets/app-x1.js?t was not found'],
    ] as const)
      expect(scrubMessage(message)).toBe(scrubbed)
  })

  it('has the frames of a stack alone', () => {
    const chrome = `TypeError: "我的密码" is wrong
    at send (https://guild.example/assets/room-Bx3.js?v=secret:1:123456)
    at async https://guild.example/assets/base-Cq.js:2:7
    at <anonymous>`
    expect(scrubStack(chrome)).toBe('at send (/assets/room-Bx3.js:1:123456)\nat ? (/assets/base-Cq.js:2:7)')
    const safari =
      'send@https://guild.example/assets/room-Bx3.js:1:99\n@https://guild.example/assets/base.js:3:4'
    expect(scrubStack(safari)).toBe('at send (/assets/room-Bx3.js:1:99)\nat ? (/assets/base.js:3:4)')
  })

  it('is the same when it is scrubbed again, as the server does', () => {
    const texts = [...PRIVATE, `x "${PRIVATE.join()}" /a?b=c 123456 'y'`, "(reading 'x')"]
    for (const text of texts) expect(scrubMessage(scrubMessage(text))).toBe(scrubMessage(text))
    for (const path of ['/invite/Abc234?x=1', '/我/b', '/?a=1&b=2'])
      expect(scrubLocation(scrubLocation(path))).toBe(scrubLocation(path))
    const stack = 'at send (https://x.example/a.js:1:2)'
    expect(scrubStack(scrubStack(stack))).toBe(scrubStack(stack))
  })

  it('is bounded, and fast on hostile text', () => {
    const long = `${'a'.repeat(60_000)}"${'/?'.repeat(60_000)}`
    expect(scrubMessage(long).length).toBeLessThanOrEqual(300)
    expect(scrubLocation(`/${'a/'.repeat(30_000)}`).length).toBeLessThanOrEqual(200)
    expect(scrubStack('at f (http://x/a.js:1:1)\n'.repeat(5_000)).split('\n')).toHaveLength(20)
    expect(['TypeError', '我的密码', 'a b', '13812345678'].map(scrubName)).toEqual([
      'TypeError',
      'Error',
      'Error',
      'Error',
    ])
  })
})

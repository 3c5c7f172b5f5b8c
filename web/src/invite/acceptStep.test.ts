import { describe, expect, it } from 'vitest'
import type { Browser, Environment } from '../native/environment.ts'
import { inviteOf } from '../testing/fixtures.ts'
import { type AcceptStep, acceptStep } from './acceptStep.ts'

const of = (
  platform: Environment['platform'],
  browser: Browser = 'other',
  hasShell = false,
): Environment => ({
  platform,
  browser,
  hasShell,
})
const guild = inviteOf({ type: 'guild' })
const channelOfType = (type: number) =>
  inviteOf({ type: 'channel', channel: { ...inviteOf().channel!, type } })
const text = channelOfType(1)
const voice = channelOfType(2)
const shellWith = (...calls: string[]) => ({ has: (call: string) => calls.includes(call) })
const whole = shellWith('jump_guild', 'join_audio')

describe('in a native shell', () => {
  const shellEnvironments = [
    of('ios', 'other', true),
    of('android', 'other', true),
    of('desktop', 'other', true),
  ]
  const table: readonly [string, typeof guild, boolean, AcceptStep][] = [
    ['a guild, logged in', guild, true, 'jumpGuild'],
    ['a text channel, logged in', text, true, 'jumpGuild'],
    ['a voice channel, logged in', voice, true, 'joinAudio'],
    ['a guild, logged out', guild, false, 'home'],
    ['a text channel, logged out', text, false, 'home'],
    ['a voice channel, logged out', voice, false, 'home'],
  ]
  for (const environment of shellEnvironments)
    for (const [what, invite, isLoggedIn, step] of table)
      it(`on ${environment.platform}, an invite to ${what}: ${step}`, () => {
        for (const isOffered of [true, false])
          expect(acceptStep(environment, whole, invite, isLoggedIn, isOffered)).toBe(step)
      })

  it('a shell that is older than a call does without it', () => {
    const environment = of('ios', 'other', true)
    expect(acceptStep(environment, shellWith('jump_guild'), voice, true, true)).toBe('jumpGuild')
    expect(acceptStep(environment, shellWith(), voice, true, true)).toBe('enter')
    expect(acceptStep(environment, shellWith(), guild, true, true)).toBe('enter')
  })

  it('a shell that did not answer is a plain browser', () => {
    expect(acceptStep(of('android', 'other', true), null, guild, false, false)).toBe('register')
    expect(acceptStep(of('android', 'other', true), null, guild, true, false)).toBe('enter')
  })

  it('an invite to a guild joins no audio, whatever channel it begins with', () => {
    expect(acceptStep(of('ios'), whole, { ...voice, type: 'guild' }, true, true)).toBe('jumpGuild')
    expect(acceptStep(of('ios'), whole, { ...voice, channel: null }, true, true)).toBe('jumpGuild')
  })
})

describe('in a browser', () => {
  const CHATS: readonly Browser[] = ['wechat', 'qq', 'alipay', 'weibo', 'dingtalk']
  const environments: readonly (readonly [Environment, withApp: AcceptStep, without: AcceptStep])[] = [
    ...(['ios', 'android'] as const).flatMap((platform) =>
      CHATS.map((browser) => [of(platform, browser), 'mask', 'mask'] as const),
    ),
    [of('desktop', 'wechat'), 'mask', 'mask'],
    [of('ios', 'safari'), 'openInApp', 'register'],
    [of('ios'), 'openApp', 'register'],
    [of('android'), 'openApp', 'register'],
  ]
  for (const [environment, withApp, without] of environments)
    it(`${environment.browser} on ${environment.platform}, logged out: ${withApp}; without an app: ${without}`, () => {
      for (const invite of [guild, text, voice]) {
        expect(acceptStep(environment, null, invite, false, true)).toBe(withApp)
        expect(acceptStep(environment, null, invite, false, false)).toBe(without)
      }
    })

  it('on a desk, where no app is offered, people register', () => {
    expect(acceptStep(of('desktop'), null, guild, false, false)).toBe('register')
  })

  it('whoever is logged in joins there, in every browser', () => {
    for (const [environment] of environments)
      for (const isOffered of [true, false])
        expect(acceptStep(environment, null, guild, true, isOffered)).toBe('enter')
  })
})

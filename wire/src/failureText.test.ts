import { describe, expect, it } from 'vitest'
import type { Way } from './auth/ways.ts'
import type { FailureName } from './failure.ts'
import { failureText } from './failureText.ts'

const texts = (name: FailureName, ways?: readonly Way[]) =>
  (['zh-CN', 'en'] as const).map((locale) => failureText(name, locale, {}, ways))

describe('what asks for a proof', () => {
  it('speaks of the number by default', () => {
    expect(texts('guild.unverified')).toEqual([
      '请先完成手机验证，再创建公会',
      'verify your mobile number first, then create a guild',
    ])
    expect(texts('friend.unverified')[0]).toBe('请先完成手机验证，再添加好友')
    expect(texts('auth.bind_needed')).toEqual(['请绑定手机号', 'please bind a mobile number'])
    expect(texts('auth.bind_other')[0]).toBe('该手机号已绑定其他账号')
    expect(texts('auth.third_part_last')[0]).toBe('解绑后将无法登录，请先绑定手机号')
  })

  it('speaks of the address where only that is on, and of either where both are', () => {
    expect(texts('guild.unverified', ['email', 'invite'])).toEqual([
      '请先完成邮箱验证，再创建公会',
      'verify your email address first, then create a guild',
    ])
    expect(texts('friend.unverified', ['sms', 'email'])).toEqual([
      '请先完成手机或邮箱验证，再添加好友',
      'verify your mobile number or email address first, then add friends',
    ])
    expect(texts('auth.bind_needed', ['email'])[1]).toBe('please bind an email address')
    expect(texts('auth.bind_other', ['email', 'sms'])[0]).toBe('该手机号或邮箱已绑定其他账号')
  })

  it('names neither by invites alone', () => {
    expect(texts('auth.third_part_last', ['invite'])).toEqual([
      '解绑后将无法登录，请先设置密码',
      'you could not log in any more, set a password first',
    ])
  })
})

import { TOTP_DIGITS } from '@guildhall/wire/auth/secondFactor.ts'
import { texts } from '@guildhall/wire/locale.ts'

/** The dialog that a login, or a change of the second factor, asks for the second factor with. */
export const secondFactorText = texts({
  'zh-CN': {
    title: '两步验证',
    why: `请输入验证器应用中显示的 ${TOTP_DIGITS} 位数字`,
    whyRecovery: '请输入一个未使用过的恢复码',
    code: '动态验证码',
    recovery: '恢复码',
    useRecovery: '无法使用验证器？输入恢复码',
    useApp: '使用验证器应用',
    required: '请输入验证码',
    confirm: '确定',
    cancel: '取消',
  },
  en: {
    title: 'Two-step verification',
    why: `Enter the ${TOTP_DIGITS} digits that your authenticator app shows`,
    whyRecovery: 'Enter a recovery code that you have not used',
    code: 'Authenticator code',
    recovery: 'Recovery code',
    useRecovery: 'Use a recovery code',
    useApp: 'Use the authenticator app',
    required: 'Please enter the code',
    confirm: 'Confirm',
    cancel: 'Cancel',
  },
})

import { texts } from '@guildhall/wire/locale.ts'
import { ID_NUMBER_LENGTH } from '@guildhall/wire/realname/realname.ts'

/** Texts of /account/authentication. */
export const text = texts({
  'zh-CN': {
    title: '实名认证',
    name: '姓名',
    nameHint: '与身份证一致的姓名',
    number: '身份证号',
    numberHint: `${ID_NUMBER_LENGTH} 位身份证号码`,
    save: '保存',
    why: '信息仅用于实名认证，会加密保存，认证后不可修改',
    nameWrong: '姓名有误',
    numberWrong: '身份证号有误',
    done: '认证成功',
    network: '网络错误，认证失败。',
    failed: '认证状态加载失败',
    verified: '已完成实名认证',
    since: (day: string) => `认证于 ${day}`,
    off: '暂不支持实名认证',
    offWhy: '社区还没有开通实名认证服务',
  },
  en: {
    title: 'Real-name verification',
    name: 'Name',
    nameHint: 'As it stands on the ID card',
    number: 'ID number',
    numberHint: `${ID_NUMBER_LENGTH} digits`,
    save: 'Save',
    why: 'This is for verification only, is stored encrypted, and cannot be changed afterwards',
    nameWrong: 'Name wrong',
    numberWrong: 'ID wrong',
    done: 'Authentication succeeded',
    network: 'Network error, verification failed.',
    failed: 'The state of your verification could not be loaded',
    verified: 'You are verified',
    since: (day: string) => `Since ${day}`,
    off: 'Real names cannot be verified here',
    offWhy: 'This community has no verification service',
  },
})

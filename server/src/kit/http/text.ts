import { texts } from '@guildhall/wire/locale.ts'

/** Texts of the HTTP layer: success, and why a value does not fit. */
export const httpText = texts({
  'zh-CN': {
    done: '操作成功',
    missing: '缺少此参数',
    wrongType: (expected: string) => `类型不正确，应为 ${expected}`,
    tooLong: (most: number) => `过长，最多 ${most}`,
    tooShort: (least: number) => `过短，至少 ${least}`,
    tooBig: (most: number) => `不能大于 ${most}`,
    tooSmall: (least: number) => `不能小于 ${least}`,
    choices: (values: string) => `只能是 ${values}`,
    format: '格式不正确',
    notObject: '请求体应为 JSON 对象',
    badCredential: '你的用户凭证不正确',
    notBuilt: '网页尚未构建',
  },
  en: {
    done: 'done',
    missing: 'is missing',
    wrongType: (expected: string) => `has the wrong type, expected ${expected}`,
    tooLong: (most: number) => `is too long, at most ${most}`,
    tooShort: (least: number) => `is too short, at least ${least}`,
    tooBig: (most: number) => `must not be above ${most}`,
    tooSmall: (least: number) => `must not be below ${least}`,
    choices: (values: string) => `must be one of ${values}`,
    format: 'has the wrong format',
    notObject: 'the body must be a JSON object',
    badCredential: 'your credential is not valid',
    notBuilt: 'the page has not been built',
  },
})

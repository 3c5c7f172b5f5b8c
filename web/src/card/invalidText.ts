import { texts } from '@guildhall/wire/locale.ts'

/**
 * What stands in place of a card that cannot be drawn: messages say it before the code of cards is loaded.
 */
export const invalidText = texts({
  'zh-CN': { invalid: '卡片消息格式错误' },
  en: { invalid: 'Card message format error' },
})

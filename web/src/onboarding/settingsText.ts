import { texts } from '@guildhall/wire/locale.ts'

/** Texts of the section in a guild's settings. */
export const settingsText = texts({
  'zh-CN': {
    failed: '新成员引导没有加载出来',
    rulesOn: '加入的人须同意规则',
    rulesWhy: '打开后加入的人，同意规则之前只能看，不能发言和回应。已有成员、会长和机器人不受影响。',
    rules: '规则',
    ruleOf: (n: number) => `规则 ${n}`,
    ruleTitle: '标题',
    ruleWords: '说明',
    ruleHint: '可以不写',
    up: (n: number) => `上移规则 ${n}`,
    down: (n: number) => `下移规则 ${n}`,
    remove: (n: number) => `删除规则 ${n}`,
    add: '添加规则',
    most: (n: number) => `最多 ${n} 条规则`,
    save: '保存',
    saved: '已保存',
  },
  en: {
    failed: 'Onboarding did not load',
    rulesOn: 'Who joins accepts the rules',
    rulesWhy:
      'Who joins from then on can only read until they accept. Members, the owner and bots are not concerned.',
    rules: 'Rules',
    ruleOf: (n: number) => `Rule ${n}`,
    ruleTitle: 'Title',
    ruleWords: 'Words',
    ruleHint: 'May be empty',
    up: (n: number) => `Move rule ${n} up`,
    down: (n: number) => `Move rule ${n} down`,
    remove: (n: number) => `Delete rule ${n}`,
    add: 'Add a rule',
    most: (n: number) => `At most ${n} rules`,
    save: 'Save',
    saved: 'Saved',
  },
})

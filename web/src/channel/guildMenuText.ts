import { GUILD_RESTORABLE_MS } from '@guildhall/wire/guild/guild.ts'
import { texts } from '@guildhall/wire/locale.ts'
import { DAY_MS } from '@guildhall/wire/unit.ts'

/** Texts of what those who manage a guild do in its menu. */
export const guildMenuText = texts({
  'zh-CN': {
    profile: '服务器信息',
    customId: '自定义公会 ID',
    label: '公会 ID',
    none: '未设置',
    why: (min: number, max: number) =>
      `${min}-${max} 个字母、数字或短横线。别人打开短地址就能看到邀请并加入公会`,
    save: '保存',
    remove: '移除公会 ID',
    removeTitle: '确定要移除公会 ID 吗？',
    removeWords: '短地址会立即失效，别的公会可以使用这个 ID',
    saved: '公会 ID 已保存',
    removed: '公会 ID 已移除',
    copy: '复制短地址',
    copied: '短地址已复制',
    copyFailed: '复制失败，请长按短地址复制',
    levelNeeded: (level: number, now: number) => `公会达到 ${level} 级后可以设置，现在是 ${now} 级`,
    keeps: '公会等级下降后保留现有 ID，但不能更换',
    toBoost: '去助力',
    leaveWords: '退出后将看不到这里的消息，再次加入需要邀请',
    dissolve: '解散公会',
    dissolveTitle: (name: string) => `确定要解散「${name}」吗？`,
    dissolveWords: '所有成员都会立即离开，频道和消息不再可见。该操作无法撤销',
    dissolveRestorable: `所有成员都会立即离开。${GUILD_RESTORABLE_MS / DAY_MS} 天内可以在“添加公会”里恢复，频道、消息和成员都会回来`,
    dissolved: '公会已解散',
  },
  en: {
    profile: 'Server info',
    customId: 'Custom guild ID',
    label: 'Guild ID',
    none: 'Not set',
    why: (min: number, max: number) =>
      `${min} to ${max} letters, digits or hyphens. Whoever opens the short address sees an invite and can join`,
    save: 'Save',
    remove: 'Remove guild ID',
    removeTitle: 'Remove the guild ID?',
    removeWords: 'The short address ends at once, and other guilds may use this ID',
    saved: 'Guild ID saved',
    removed: 'Guild ID removed',
    copy: 'Copy short address',
    copied: 'Short address copied',
    copyFailed: 'Could not copy; hold the short address to copy it',
    levelNeeded: (level: number, now: number) => `This needs level ${level}; the guild is at level ${now}`,
    keeps: 'The guild keeps its ID after its level dropped, but cannot change it',
    toBoost: 'Boost the guild',
    leaveWords: 'You will not see its messages any more, and need an invite to join again',
    dissolve: 'Delete guild',
    dissolveTitle: (name: string) => `Delete “${name}”?`,
    dissolveWords: 'All members leave at once; channels and messages are gone. This cannot be undone',
    dissolveRestorable: `All members leave at once. Within ${GUILD_RESTORABLE_MS / DAY_MS} days you can restore it where guilds are added; channels, messages and members come back`,
    dissolved: 'Guild deleted',
  },
})

import { useState } from 'react'
import { PickerList } from '../../composer/mention/MentionPicker.tsx'
import { channelOptions, type Option, peopleOptions } from '../../composer/mention/mentionOptions.ts'
import type { MemberSearch } from '../../composer/mention/useMemberSearch.ts'
import { channelOf, guildOf } from '../fixtures.ts'
import { callableLike } from '../messages.ts'
import styles from './Gallery.module.css'
import type { Section, State } from './section.ts'

const LONG = '名字很长很长很长很长很长很长很长很长很长的人'
const people = [
  callableLike('7', '小满', 'xiao man'),
  { ...callableLike('8', '小满', 'xiao man'), nickname: '夜航船' },
  callableLike('9', LONG, ''),
  { ...callableLike('5', 'AlexanderTheGreatOfMacedonia', ''), nickname: 'Alexander the Great of Macedonia' },
  callableLike('6', '看不见的人', '', { can_view: false }),
]
const role = (role_id: number, name: string, color: number) => ({
  role_id,
  name,
  color,
  position: role_id,
  hoist: 0,
  mentionable: 1,
  permissions: 0,
})
const guild = {
  ...guildOf('10', '星海公会', [
    channelOf('20', '闲聊'),
    channelOf('30', '一起听', {
      type: 0,
      is_category: true,
      channels: [channelOf('31', '点歌台', { type: 2 }), channelOf('32', LONG)],
    }),
  ]),
  roles: [role(2, '管理员', 0x0b7a53), role(3, '主播', 0x1f66d0), role(4, LONG, 0)],
}
const MENTION_EVERYONE = 131_072
const groups = peopleOptions('', [], guild, MENTION_EVERYONE, 'zh-CN')

function List(props: { id: string; sign: '@' | '#'; options: readonly Option[]; found: MemberSearch }) {
  const [, setActive] = useState<string | null>(null)
  return (
    <div className={styles.mention}>
      <PickerList
        now={{ text: '', picks: [] }}
        {...props}
        trigger={{ sign: props.sign, start: 0, search: '' }}
        onPick={() => undefined}
        onClose={() => undefined}
        onActive={setActive}
        handle={null}
      />
    </div>
  )
}
const state = (
  name: string,
  options: readonly Option[],
  found: MemberSearch,
  sign: '@' | '#' = '@',
): State => ({
  name,
  draw: () => (
    <List id={`gallery-${name.replaceAll(' ', '-')}`} sign={sign} options={options} found={found} />
  ),
})
const done: MemberSearch = { status: 'done', members: people }

export const mentions: Section = {
  id: 'mentions',
  title: 'Mention picker',
  states: [
    state('people', peopleOptions('', people, guild, 0, 'zh-CN').slice(0, people.length), done),
    state('everyone and roles', groups, done),
    state('channels', channelOptions('', guild), { status: 'done', members: [] }, '#'),
    state('still looking', [], { status: 'loading', members: [] }),
    state('nobody found', [], { status: 'done', members: [] }),
    state('failed search', [], { status: 'failed', members: [], again: () => undefined }),
  ],
}

import { emojiAlone } from '@guildhall/wire/kmarkdown/jumbo.ts'
import { type Names, parse } from '@guildhall/wire/kmarkdown/kmarkdown.ts'
import { mentionText } from '@guildhall/wire/kmarkdown/text.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import { useLocale } from '../../kit/i18n.ts'
import { KMarkdown } from '../../kmarkdown/KMarkdown.tsx'
import styles from '../../message/MessageContent.module.css'
import { MessageRow } from '../../message/MessageRow.tsx'
import type { MessageContext } from '../../message/messageContext.ts'
import { OutgoingRow } from '../../message/OutgoingRow.tsx'
import type { Outgoing } from '../../roomStore/room.ts'
import { channelOf, guildOf, sessionOf } from '../fixtures.ts'
import { messageLike } from '../messages.ts'
import type { Section, State } from './section.ts'

const NOW = 1_790_000_100_000
export const context: MessageContext = {
  me: sessionOf().user,
  guild: guildOf('10', '星海公会', [channelOf('20', '闲聊')]),
}
const rights = { meId: '7', mobile_verified: true, permissions: 842248, canSend: true }
const actions = {
  menu: () => undefined,
  react: () => undefined,
  showReactors: () => undefined,
  jumpTo: () => undefined,
  dismiss: () => undefined,
}
const mentioned = [
  { id: '7', username: '小满', full_name: '小满#0007', avatar: '' },
  { id: '8', username: '名字很长很长很长很长很长很长很长很长很长的人', full_name: 'x#0008', avatar: '' },
  { id: '9', username: '小美', full_name: '小美#0009', avatar: '', nickname: '夜航船' },
] as unknown as Message['kmarkdown']['mention_part']

let seq = 0
/** A row with a message of another user. `ephemeralTo`: the recipient of an ephemeral message. */
export function messageState(
  name: string,
  content: string,
  more: Partial<Message> = {},
  ephemeralTo?: string,
): State {
  seq += 1
  const like = messageLike(seq, { content, ...more })
  const message = { ...like, kmarkdown: { ...like.kmarkdown, mention_part: mentioned } }
  return {
    name,
    draw: () => (
      <MessageRow
        message={message}
        context={context}
        rights={rights}
        actions={actions}
        ephemeralTo={ephemeralTo}
        head
        now={NOW}
      />
    ),
  }
}
export const outgoingState = (
  name: string,
  content: string,
  more: Partial<Outgoing>,
  isWaiting = false,
): State => ({
  name,
  draw: () => (
    <OutgoingRow
      outgoing={{ nonce: name, content, at: NOW, state: 'sending', why: '', ...more }}
      head
      now={NOW}
      context={context}
      isWaiting={isWaiting}
      onRetry={() => undefined}
      onDiscard={() => undefined}
    />
  ),
})

/** Nodes that do not occur in messages of the room: coloured text, and emoji with a picture. */
function Loose({ source }: { source: string }) {
  const locale = useLocale()
  const names: Names = {
    user: () => null,
    role: () => null,
    channel: () => null,
    emoji: (id) => (id === '1/gone' ? '/no-such-picture.png' : '/logo.svg'),
    words: mentionText[locale],
  }
  const nodes = parse(source, { font: true })
  return (
    <div className={styles.text} data-part="message-text" data-jumbo={emojiAlone(nodes) > 0 || undefined}>
      <KMarkdown nodes={nodes} names={names} reader={{ id: '7', roles: [] }} />
    </div>
  )
}

const themes = 'primary success danger warning info pink purple secondary tips body'.split(' ')
const code = `\`\`\`ts
/** 今晚的名单 */
export async function raid(names: readonly string[], at = 20): Promise<number> {
  const ready = names.filter((name) => name !== 'nobody') // 很长很长的一行，要横着滚动才能看到它的结尾
  return ready.length * 2
}
\`\`\``

export const kmarkdown: Section = {
  id: 'words',
  title: 'Words',
  states: [
    messageState('plain', '今晚八点开荒，缺一个奶和两个输出。See you there!'),
    messageState(
      'styles',
      '**粗体** *斜体* ***粗斜*** ~~删除~~ (ins)下划线(ins) `行内代码` **粗 *里面斜* 体**',
    ),
    messageState('hidden', '结局是：(spl)大家都 **活着**，还有 https://example.com(spl)，没想到吧'),
    messageState('hidden in a link', '[(spl)到这里(spl)去](http://127.0.0.1:1/)'),
    messageState(
      'hidden lines',
      '(spl)很长很长很长很长很长很长很长很长很长很长很长很长很长的秘密，\n> 连同引用\n\n(spl)',
    ),
    messageState(
      'link',
      '攻略 https://example.com/raid?id=42 和 [另一篇](https://example.com/guide)，[这个](javascript:x)不是',
    ),
    messageState('long link', `https://example.com/${'a-very-long-way-to-go/'.repeat(6)}`),
    messageState('divider', '上半场\n---\n下半场'),
    messageState('quote', '> 昨天谁打的第一？\n> 是 **我**\n\n运气好而已'),
    messageState('code', code),
    messageState('code without a language', '看这里：\n```\nnpm start\n```\n就好'),
    messageState('code made to be slow', `\`\`\`html\n${'<script>'.repeat(900)}\n\`\`\``),
    messageState('code after slow code', '```py\ndef f(): return 1\n```'),
    messageState('code of an unknown language', '```klingon\nnuqneH\n```'),
    messageState('mentions', '(met)8(met) (rol)4(rol) (chn)20(chn) (chn)99(chn) (met)99(met)'),
    messageState('mention of somebody who has a nickname here', '(met)9(met) 来开船'),
    messageState('mention of the reader', '(met)7(met) 你来吗', {
      mention: ['7'] as unknown as Message['mention'],
    }),
    messageState('mention of all', '(met)all(met) (met)here(met) 开饭了', { mention_all: true }),
    messageState('emoji alone', '😄🎉👍🏽'),
    messageState('emoji of a guild', '好耶 (emj)随便(emj)[1/a] (emj)不能用(emj)[2/b]', {
      kmarkdown: { ...messageLike(1).kmarkdown, emoji_part: [{ id: '1/a', name: '加油' }] },
    }),
    messageState('reactions', '今晚开荒', {
      reactions: [
        { emoji: { id: '[#128077;]', name: '👍' }, count: 2, me: true },
        { emoji: { id: '1/a', name: '加油' }, count: 12, me: false },
      ],
    }),
    messageState('emoji among words', '好耶 😄 (emj)加油(emj)[1/a]'),
    messageState('escapes', '\\*不是斜体\\* \\`不是代码\\` \\> 2 \\(met\\)'),
    messageState('never closed', '**没有关上的 (ins)标记 [和括号 `都是字'),
    messageState('one long word', 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch'.repeat(2)),
    messageState('text of an old client', '@小满#0007 @role:4; #channel:20; [:加油:1/a] **不是粗体**', {
      type: 1,
    }),
    messageState('edited', '打错了又改了', { updated_at: NOW }),
    messageState('pinned', '置顶的消息', { is_pinned: true }),
    messageState('unknown kind', '', { type: 77 }),
    {
      name: 'colours, in cards',
      draw: () => <Loose source={themes.map((it) => `(font)${it} 颜色(font)[${it}]`).join(' ')} />,
    },
    { name: 'emoji with a picture', draw: () => <Loose source={'加油(emj)加油(emj)[1/a]！'} /> },
    { name: 'pictures alone', draw: () => <Loose source={'(emj)加油(emj)[1/a](emj)加油(emj)[1/a]'} /> },
    { name: 'emoji whose picture is gone', draw: () => <Loose source={'加油(emj)加油(emj)[1/gone]！'} /> },
    outgoingState('sending', '马上到', {}),
    outgoingState('waiting for the network', '没有网络', { state: 'queued' }, true),
    outgoingState('not sent', '发不出去', { state: 'failed', why: '你被禁言了' }),
  ],
}

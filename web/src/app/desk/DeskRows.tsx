import { texts } from '@guildhall/wire/locale.ts'
import { useState } from 'react'
import { readStored, type Stored, writeStored } from '../../kit/browser/storage.ts'
import { useText } from '../../kit/i18n.ts'
import { EditIcon } from '../../ui/icon/channelIcons.tsx'
import { ReplyIcon } from '../../ui/icon/icons.tsx'
import menuStyles from '../../ui/overlay/Menu.module.css'
import settingStyles from '../../ui/SettingRows.module.css'

const text = texts({
  'zh-CN': {
    keys: '键盘快捷键',
    doubleClick: '双击消息',
    reply: '回复',
    edit: '编辑自己的消息',
    none: '不做什么',
  },
  en: {
    keys: 'Keyboard shortcuts',
    doubleClick: 'Double click on a message',
    reply: 'Replies',
    edit: 'Edits one’s own',
    none: 'Does nothing',
  },
})

type Act = Stored['double_click']
const NEXT: Readonly<Record<Act, Act>> = { reply: 'edit', edit: 'none', none: 'reply' }

/** What is chosen for a keyboard and a mouse; the device remembers it. */
export default function DeskRows() {
  const t = useText(text)
  const [areKeysOn, setKeysOn] = useState(() => readStored('keys') !== 'off')
  const [act, setAct] = useState(() => readStored('double_click') ?? 'reply')
  return (
    <>
      <button
        type="button"
        className={menuStyles.item}
        role="switch"
        aria-checked={areKeysOn}
        onClick={() => {
          writeStored('keys', areKeysOn ? 'off' : null)
          setKeysOn(!areKeysOn)
        }}
      >
        <EditIcon />
        <span className={menuStyles.label}>{t.keys}</span>
        <span className={settingStyles.switch} aria-hidden="true" />
      </button>
      <button
        type="button"
        className={menuStyles.item}
        onClick={() => {
          writeStored('double_click', NEXT[act])
          setAct(NEXT[act])
        }}
      >
        <ReplyIcon />
        <span className={menuStyles.label}>{t.doubleClick}</span>
        <span className={menuStyles.value}>{t[act]}</span>
      </button>
    </>
  )
}

import { useText } from '../kit/i18n.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { text } from './text.ts'

/** Videos and voice messages do not play on the page (chat.md §8 "Web video playback in H5"): offers the file instead. */
export function NotPlayable(props: { href: string; name: string; onClose: () => void }) {
  const t = useText(text)
  const download = () => {
    const link = document.createElement('a')
    link.href = props.href
    link.download = props.name
    link.click()
    props.onClose()
  }
  return (
    <Dialog
      title={t.notPlayable}
      message={t.notPlayableWhy}
      confirm={t.download}
      onConfirm={download}
      onClose={props.onClose}
    />
  )
}

import { copyText } from '../../kit/browser/clipboard.ts'
import { canCopyPictures, copyPicture } from '../../kit/browser/copyPicture.ts'
import { useText } from '../../kit/i18n.ts'
import { text as kmarkdownText } from '../../kmarkdown/text.ts'
import { CopyIcon, DownloadIcon, NextIcon } from '../../ui/icon/icons.tsx'
import { LinkIcon } from '../../ui/icon/laterIcons.tsx'
import menuStyles from '../../ui/overlay/Menu.module.css'
import { MenuItem } from '../../ui/overlay/MenuItem.tsx'
import { toast } from '../../ui/overlay/Toast.tsx'
import styles from './MessageMenu.module.css'
import { sheetText } from './sheetText.ts'

/** What can be done with the picture or the link that was pressed in a message; nothing for anything else. */
export function PressedItems({ at, onClose }: { at: Element | undefined; onClose: () => void }) {
  const picture = at?.closest('[data-part=picture]')?.querySelector('img')
  const link = at?.closest<HTMLAnchorElement>('a[href]:not([download])')
  if (!picture && !link) return null
  return (
    <div className={`${menuStyles.menu} ${styles.pressed}`}>
      {link && <LinkItems link={link} onClose={onClose} />}
      {picture && <PictureItems picture={picture} onClose={onClose} />}
    </div>
  )
}

function LinkItems({ link, onClose }: { link: HTMLAnchorElement; onClose: () => void }) {
  const t = useText(sheetText)
  const tKMarkdown = useText(kmarkdownText)
  // What leads outside goes by the page that warns of it, and has its own address in the title.
  const address = /^https?:/.test(link.title) ? link.title : link.href
  const copy = async () => {
    onClose()
    toast((await copyText(address)) ? t.addressCopied : tKMarkdown.copyFailed)
  }
  const open = () => {
    onClose()
    link.click()
  }
  return (
    <>
      <MenuItem icon={<NextIcon />} label={t.openLink} onPress={open} />
      <MenuItem icon={<LinkIcon />} label={t.copyAddress} onPress={() => void copy()} />
    </>
  )
}

function PictureItems({ picture, onClose }: { picture: HTMLImageElement; onClose: () => void }) {
  const t = useText(sheetText)
  const tKMarkdown = useText(kmarkdownText)
  const { origin, pathname } = new URL(picture.src)
  // Of another site nothing is saved: its address would be opened without the warning.
  if (origin !== location.origin) return null
  const save = () => {
    onClose()
    const link = document.createElement('a')
    link.href = picture.src
    link.download = pathname.split('/').at(-1) ?? ''
    link.click()
  }
  const copy = async () => {
    onClose()
    toast((await copyPicture(picture.src)) ? t.pictureCopied : tKMarkdown.copyFailed)
  }
  return (
    <>
      <MenuItem icon={<DownloadIcon />} label={t.savePicture} onPress={save} />
      {canCopyPictures() && (
        <MenuItem icon={<CopyIcon />} label={t.copyPicture} onPress={() => void copy()} />
      )}
    </>
  )
}

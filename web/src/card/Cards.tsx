import { fitted, sizeIn } from '@guildhall/wire/asset/name.ts'
import { type ReadCards, readCards } from '@guildhall/wire/card/card.ts'
import type {
  Button as ButtonElement,
  Card,
  Countdown,
  FileModule,
  Image,
  Module,
  Paragraph,
  Words,
} from '@guildhall/wire/card/node.ts'
import type { MessageId } from '@guildhall/wire/id.ts'
import { type Names, parse } from '@guildhall/wire/kmarkdown/kmarkdown.ts'
import { clickButton } from '@guildhall/wire/message/card.ts'
import { isVisible } from '@guildhall/wire/words.ts'
import { lazy, Suspense, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { hrefOf } from '../asset/asset.ts'
import { durationLabel } from '../kit/duration.ts'
import { useText } from '../kit/i18n.ts'
import { loadPart } from '../kit/lazyPart.ts'
import { sizeLabel } from '../kit/size.ts'
import { useCall } from '../kit/useCall.ts'
import { KMarkdown, type Reader } from '../kmarkdown/KMarkdown.tsx'
import { MentionTargetsContext } from '../kmarkdown/mentionTargets.ts'
import mediaStyles from '../media/Media.module.css'
import { SizedImage } from '../media/Picture.tsx'
import { PlayButton } from '../media/PlayButton.tsx'
import { text as mediaText } from '../media/text.ts'
import { textColorOn } from '../ui/contrast.ts'
import { AlertIcon, ChevronIcon, DownloadIcon, FileIcon, PlayIcon } from '../ui/icons.tsx'
import { MusicIcon } from '../ui/laterIcons.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { toast } from '../ui/Toast.tsx'
import { WebLink } from '../ui/WebLink.tsx'
import styles from './Cards.module.css'
import { FOLD_PX, foldAt } from './cardHeight.ts'
import InviteCard from './InviteCard.tsx'
import { text } from './text.ts'
import { useCountdown } from './useCountdown.ts'

const Viewer = lazy(() => loadPart(() => import('../media/Viewer.tsx')))

/** Context of a message's cards. */
export interface CardContext {
  readonly messageId: MessageId
  readonly names: Names
  readonly reader: Reader
  /** The reader is the author. */
  readonly own: boolean
}

/** Parsed cards cached; the oldest is dropped first. */
const KNOWN_MAX = 100
const all = new Map<string, ReadCards>()

function known(content: string): ReadCards {
  const read = all.get(content) ?? readCards(content)
  const oldest = all.keys().next().value
  if (all.size >= KNOWN_MAX && oldest !== undefined) all.delete(oldest)
  all.set(content, read)
  return read
}

/** The cards of a message, or an error line when they are invalid. protocol.md §7, chat.md §3. */
export default function Cards({ content, context }: { content: string; context: CardContext }) {
  const t = useText(text)
  const read = useMemo(() => known(content), [content])
  const isEmpty = !('broken' in read) && read.cards.every(({ modules }) => modules.every(isBlank))
  if ('broken' in read || isEmpty)
    return (
      <p
        className={styles.unreadable}
        data-part="message-text"
        data-unsupported
        data-message={context.messageId}
      >
        {isEmpty ? t.empty : t.invalid}
      </p>
    )
  return (
    <div className={styles.cards} data-part="cards" data-message={context.messageId}>
      {read.cards.map((card, index) =>
        card.modules.every(isBlank) ? null : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the cards of one message never move
          <CardBox key={index} card={card} id={`${context.messageId} ${index}`} context={context} />
        ),
      )}
    </div>
  )
}

/** Whether a module shows nothing. */
function isBlank(module: Module): boolean {
  if ('elements' in module) return module.elements.length === 0
  if (module.type === 'header') return isBlankText(module.text)
  if (module.type !== 'section' || module.accessory) return false
  const { text: words } = module
  return words.type === 'paragraph' ? words.fields.every(isBlankText) : isBlankText(words)
}

const isBlankText = ({ content }: Words): boolean => !isVisible(content)

/** Unfolded cards stay so for the life of the page, also after scrolling out of sight. */
const unfolded = new Set<string>()

function CardBox({ card, id, context }: { card: Card; id: string; context: CardContext }) {
  const t = useText(text)
  const inside = useRef<HTMLDivElement>(null)
  const [cut, setCut] = useState<number | null>(null)
  const isTall = cut !== null
  const [isOpen, setOpen] = useState(card.expand === true || unfolded.has(id))
  const setUnfolded = (open: boolean) => {
    setOpen(open)
    if (open) unfolded.add(id)
    else unfolded.delete(id)
  }
  useLayoutEffect(() => {
    const here = inside.current
    if (!here) return
    const measure = () => setCut(foldAt(here.offsetHeight, picturesIn(here)))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(here)
    return () => observer.disconnect()
  }, [])
  const folded = isTall && !isOpen
  return (
    <div
      className={styles.card}
      data-part="card"
      data-tone={card.theme}
      data-size={card.size}
      data-folded={folded ? (cut > FOLD_PX ? 'picture' : 'text') : undefined}
      style={card.color ? ({ '--bar': card.color } as React.CSSProperties) : undefined}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only follows where the focus inside of it goes */}
      <div
        className={styles.window}
        style={folded ? { maxHeight: cut } : undefined}
        // Elements with keyboard focus must be visible.
        onFocus={folded ? (event) => isBelow(event, cut) && setUnfolded(true) : undefined}
      >
        <div className={styles.modules} ref={inside}>
          {card.modules.map((module, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the modules of one card never move
            <ModuleBox key={index} module={module} context={context} />
          ))}
        </div>
      </div>
      {isTall && card.expand !== true && (
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={isOpen}
          onClick={() => setUnfolded(!isOpen)}
        >
          {isOpen ? t.showLess : t.showMore}
          <ChevronIcon size={18} />
        </button>
      )}
    </div>
  )
}

const isBelow = (event: React.FocusEvent<HTMLElement>, cut: number): boolean =>
  event.target.getBoundingClientRect().bottom > event.currentTarget.getBoundingClientRect().top + cut

/** Where the pictures of a card are, px from its top. */
function picturesIn(card: HTMLElement) {
  const { top: start } = card.getBoundingClientRect()
  return [...card.querySelectorAll('[data-part=card-picture]')].map((each) => {
    const { top, bottom } = each.getBoundingClientRect()
    return { top: top - start, bottom: bottom - start }
  })
}

function ModuleBox({ module, context }: { module: Module; context: CardContext }) {
  switch (module.type) {
    case 'header':
      return (
        <p className={styles.header}>
          <WordsIn words={module.text} context={context} />
        </p>
      )
    case 'section': {
      const { text: words, accessory, mode } = module
      return (
        <div className={styles.section} data-mode={mode}>
          <div className={styles.text}>
            {words.type === 'paragraph' ? (
              <Fields paragraph={words} context={context} />
            ) : (
              <WordsIn words={words} context={context} />
            )}
          </div>
          {accessory?.type === 'image' && (
            <Picture
              image={accessory}
              shape={accessory.size === 'lg' ? styles.accessoryLg : styles.accessorySm}
            />
          )}
          {accessory?.type === 'button' && <Press button={accessory} context={context} />}
        </div>
      )
    }
    case 'image-group':
      return (
        <div className={styles.tiles} data-count={module.elements.length}>
          {module.elements.map((image, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the pictures of one module never move
            <Picture key={index} image={image} shape={styles.tile} />
          ))}
        </div>
      )
    case 'container':
      return module.elements.map((image, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the pictures of one module never move
        <Picture key={index} image={image} shape={styles.whole} whole />
      ))
    case 'action-group':
      return (
        <div className={styles.actions}>
          {module.elements.map((button, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the buttons of one module never move
            <Press key={index} button={button} context={context} />
          ))}
        </div>
      )
    case 'context':
      return (
        <div className={styles.context}>
          {module.elements.map((it, index) =>
            it.type === 'image' ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one module never move
              <Picture key={index} image={it} shape={styles.mark} />
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one module never move
              <span key={index}>
                <WordsIn words={it} context={context} />
              </span>
            ),
          )}
        </div>
      )
    case 'divider':
      return <hr className={styles.divider} />
    case 'file':
      return <FileBox module={module} />
    case 'video':
    case 'audio':
      return <Playable module={module} />
    case 'countdown':
      return <CountdownBox countdown={module} />
    case 'invite':
      return <InviteCard code={module.code} own={context.own} />
  }
}

function WordsIn({ words, context }: { words: Words; context: CardContext }) {
  const nodes = useMemo(
    () => (words.type === 'kmarkdown' ? parse(words.content, { font: true, origin: location.origin }) : null),
    [words],
  )
  return nodes ? <KMarkdown nodes={nodes} names={context.names} reader={context.reader} /> : words.content
}

function Fields({ paragraph, context }: { paragraph: Paragraph; context: CardContext }) {
  return (
    <div className={styles.fields} data-cols={paragraph.cols}>
      {paragraph.fields.map((field, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the fields of one paragraph never move
        <div key={index}>
          <WordsIn words={field} context={context} />
        </div>
      ))}
    </div>
  )
}

/** Maximum size of a single picture until it is opened, px. */
const WHOLE_MAX = { width: 480, height: 640 }
const UNKNOWN_SIZE = { width: 320, height: 180 }
/** About a tile of three in a row, CSS px. */
const SQUARE = { width: 120, height: 120 }

function Picture({ image, shape, whole }: { image: Image; shape: string | undefined; whole?: boolean }) {
  const tMedia = useText(mediaText)
  const [open, setOpen] = useState(false)
  const [failed, setFailed] = useState(0)
  const sources = [image.src, ...(image.fallbackUrl ? [image.fallbackUrl] : [])]
  const src = sources[failed]
  const label = image.alt ? tMedia.pictureOf(image.alt) : tMedia.picture
  const size = fitted(sizeIn(image.src) ?? UNKNOWN_SIZE, WHOLE_MAX)
  const room = whole ? { width: size.width, aspectRatio: `${size.width} / ${size.height}` } : undefined
  const className = `${styles.picture} ${shape}${image.circle ? ` ${styles.circle}` : ''}`
  if (src === undefined)
    return (
      <button
        type="button"
        className={`${className} ${styles.pictureGone}`}
        data-part="card-picture"
        style={room}
        aria-label={`${tMedia.pictureFailed} ${tMedia.tryAgain}`}
        onClick={() => setFailed(0)}
      >
        <AlertIcon size={16} />
        {whole && <span>{tMedia.tryAgain}</span>}
      </button>
    )
  return (
    <>
      <button
        type="button"
        className={className}
        data-part="card-picture"
        style={room}
        aria-label={label}
        onClick={() => setOpen(true)}
      >
        <SizedImage
          key={src}
          address={src}
          box={whole ? size : SQUARE}
          onGone={() => setFailed((before) => before + 1)}
        />
      </button>
      {open && (
        <Suspense>
          <Viewer address={src} label={label} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

function Press({ button, context }: { button: ButtonElement; context: CardContext }) {
  const t = useText(text)
  const click = useCall(clickButton)
  const style = button.color ? { background: button.color, color: textColorOn(button.color) } : undefined
  const words = (
    <MentionTargetsContext value={null}>
      <WordsIn words={button.text} context={context} />
    </MentionTargetsContext>
  )
  if (button.click === 'link')
    return (
      <WebLink className={styles.button} data-tone={button.theme} style={style} href={button.value}>
        {words}
      </WebLink>
    )
  if (button.click === '')
    return (
      <span className={styles.button} data-tone={button.theme} style={style}>
        {words}
      </span>
    )
  const press = async () => {
    const answer = await click.run({ msg_id: context.messageId, value: button.value }, (failure) =>
      toast(failure.message),
    )
    if (answer) toast(t.submitted)
  }
  return (
    <button
      type="button"
      className={styles.button}
      data-tone={button.theme}
      style={style}
      aria-busy={click.status === 'busy' || undefined}
      onClick={() => void press()}
    >
      {words}
      {click.status === 'busy' && (
        <span className={styles.buttonBusy}>
          <Spinner size={16} />
        </span>
      )}
    </button>
  )
}

function FileBox({ module }: { module: FileModule }) {
  const tMedia = useText(mediaText)
  const name = module.title || (module.src.split('/').at(-1) ?? '')
  const inside = (
    <>
      <span className={mediaStyles.fileArt}>
        <FileIcon size={28} />
      </span>
      <span className={mediaStyles.fileText}>
        <span className={mediaStyles.fileName}>{name}</span>
        {module.size !== undefined && <span className={mediaStyles.fileSize}>{sizeLabel(module.size)}</span>}
      </span>
    </>
  )
  if (module.canDownload === false)
    return <div className={`${mediaStyles.file} ${styles.file}`}>{inside}</div>
  return (
    <a className={`${mediaStyles.file} ${styles.file}`} href={hrefOf(module.src)} download={name}>
      <span className="unseen">{tMedia.download}</span>
      {inside}
      <DownloadIcon size={20} />
    </a>
  )
}

/** CSS px, as in Media.module.css. */
const AUDIO_FACE = { width: 44, height: 44 }

/** Audio and video do not play on the page. chat.md §8. */
function Playable({ module }: { module: FileModule }) {
  const t = useText(text)
  const tMedia = useText(mediaText)
  const [coverless, setCoverless] = useState(false)
  const isVideo = module.type === 'video'
  const title = module.title || (isVideo ? tMedia.video : t.audio)
  const about = [
    ...(module.duration === undefined ? [] : [durationLabel(module.duration)]),
    ...(module.size === undefined ? [] : [sizeLabel(module.size)]),
  ].join(' · ')
  const cover = module.cover && !coverless && (
    <SizedImage
      address={module.cover}
      box={isVideo ? UNKNOWN_SIZE : AUDIO_FACE}
      onGone={() => setCoverless(true)}
    />
  )
  const face = isVideo ? styles.video : `${mediaStyles.file} ${styles.file}`
  const inside = (
    <>
      <span className={isVideo ? styles.videoFace : `${mediaStyles.fileArt} ${styles.audioFace}`}>
        {cover || (!isVideo && <MusicIcon size={24} />)}
        {isVideo && (
          <span className={styles.videoPlay}>
            <PlayIcon size={28} />
          </span>
        )}
      </span>
      <span className={mediaStyles.fileText}>
        <span className={mediaStyles.fileName}>{title}</span>
        {about && <span className={mediaStyles.fileSize}>{about}</span>}
      </span>
      {!isVideo && <PlayIcon size={24} />}
    </>
  )
  if (module.canDownload === false) return <div className={face}>{inside}</div>
  return (
    <PlayButton address={module.src} name={title} label={t.play} className={face}>
      {inside}
    </PlayButton>
  )
}

function CountdownBox({ countdown }: { countdown: Countdown }) {
  const t = useText(text)
  const { endTime, startTime, mode } = countdown
  const left = useCountdown(endTime)
  const seconds = Math.ceil(left / 1000)
  if (left === 0)
    return (
      <div className={styles.countdown} data-over>
        {t.ended}
      </div>
    )
  const parts: [number, string][] =
    mode === 'second'
      ? [[seconds, t.seconds]]
      : mode === 'hour'
        ? [
            [Math.floor(seconds / 3600), t.hours],
            [Math.floor(seconds / 60) % 60, t.minutes],
            [seconds % 60, t.seconds],
          ]
        : [
            [Math.floor(seconds / 86_400), t.days],
            [Math.floor(seconds / 3600) % 24, t.hours],
            [Math.floor(seconds / 60) % 60, t.minutes],
            [seconds % 60, t.seconds],
          ]
  const whole = startTime === undefined ? 0 : endTime - startTime
  return (
    <div className={styles.countdown} role="timer" aria-label={t.timeLeft}>
      <span className={styles.countdownParts}>
        {parts.map(([n, unit]) => (
          <span className={styles.countdownPart} key={unit}>
            <b>{mode === 'second' ? n : String(n).padStart(2, '0')}</b>
            <span>{unit}</span>
          </span>
        ))}
      </span>
      {mode === 'second' && whole > 0 && (
        <span className={styles.countdownBar}>
          <span style={{ transform: `scaleX(${Math.min(1, left / whole)})` }} />
        </span>
      )}
    </div>
  )
}

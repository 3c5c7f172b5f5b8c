import { attachmentOf } from '@guildhall/wire/message/attachment.ts'
import { searchFiles } from '@guildhall/wire/search/search.ts'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { useText } from '../../kit/i18n.ts'
import { notePressed, Picture, type RoomPicture, shareRoomPictures } from '../../media/media.ts'
import { inputOf } from '../address.ts'
import styles from '../SearchScreen.module.css'
import { HitRow } from './HitRow.tsx'
import { GallerySkeleton } from './HitsSkeleton.tsx'
import { HitsState, type ShownProps } from './HitsState.tsx'
import { wayTo } from './hit.ts'
import { hitsText } from './hitsText.ts'
import { countLabel, type Hit, useHits } from './useHits.ts'

const KINDS = { pictures: 'image', videos: 'video', files: 'file' } as const

/** The side of a picture of the gallery, px; its cell may be larger. */
const CELL = 180

/** Pictures as a gallery, videos and files as rows: all of them, or those whose names or messages fit. */
export default function FileHits(props: ShownProps) {
  const { asked } = props
  const t = useText(hitsText)
  const kind = KINDS[asked.kind as keyof typeof KINDS]
  const input = { ...inputOf(asked), sort: 'time' as const, kind }
  const hits = useHits(searchFiles, input, props.isComingBack)
  const items = hits.found?.items ?? []
  const isGallery = kind === 'image'
  return (
    <HitsState {...props} hits={hits} wait={isGallery ? <GallerySkeleton /> : undefined}>
      <p className={styles.count} role="status">
        {hits.found && t.countOf(countLabel(hits.found))}
      </p>
      {isGallery ? (
        <Gallery items={items} onOpen={props.onOpen} onMore={hits.loadMore} />
      ) : (
        <ul>
          {items.map((hit) => (
            <HitRow key={hit.message.id} hit={hit} asked={asked} isUnderDay={false} onOpen={props.onOpen} />
          ))}
        </ul>
      )}
    </HitsState>
  )
}

const nameOf = ({ message }: Hit): string => attachmentOf(message)?.name ?? ''

/** Pictures, the newest first. In the viewer they stand as in a room, so a swipe leads to older ones. */
function Gallery(props: { items: readonly Hit[]; onOpen: () => void; onMore: () => void }) {
  const { items } = props
  useViewer(props)
  return (
    <ul className={styles.gallery}>
      {items.map((hit) => (
        <li key={hit.message.id} className={styles.cell} data-message={hit.message.id}>
          <Picture
            address={hit.message.content}
            size={{ width: CELL, height: CELL }}
            name={nameOf(hit)}
            thumbhash={attachmentOf(hit.message)?.thumbhash}
          />
        </li>
      ))}
    </ul>
  )
}

/** Offers the pictures to the viewer, which leads from one to the next and to the message of each. */
function useViewer(props: { items: readonly Hit[]; onOpen: () => void; onMore: () => void }): void {
  const navigate = useNavigate()
  const latest = useRef(props)
  latest.current = props
  const listeners = useRef(new Set<() => void>())
  // biome-ignore lint/correctness/useExhaustiveDependencies: listeners hear of every page
  useEffect(() => {
    for (const listener of listeners.current) listener()
  }, [props.items])
  useLayoutEffect(() => {
    let of: readonly Hit[] | null = null
    let pictures: readonly RoomPicture[] = []
    const find = (id: string) => latest.current.items.find(({ message }) => message.id === id)
    shareRoomPictures({
      subscribe: (listener) => {
        listeners.current.add(listener)
        return () => void listeners.current.delete(listener)
      },
      all: () => {
        const { items } = latest.current
        if (items !== of) pictures = items.map(pictureOf).reverse()
        of = items
        return pictures
      },
      messageOf: (id) => {
        const hit = find(id)
        return hit ? pictureOf(hit) : null
      },
      loadOlder: () => {
        latest.current.onMore()
        return true
      },
      reply: null,
      forward: null,
      show: (id) => {
        const hit = find(id)
        if (!hit) return
        latest.current.onOpen()
        const { to, state } = wayTo(hit)
        void navigate(to, { state })
      },
    })
    const pressed = ({ target }: Event) => {
      const id = (target as Element).closest('[data-message]')?.getAttribute('data-message')
      if (id) notePressed(id)
    }
    document.addEventListener('click', pressed, { capture: true })
    return () => {
      document.removeEventListener('click', pressed, { capture: true })
      shareRoomPictures(null)
    }
  }, [navigate])
}

const pictureOf = (hit: Hit): RoomPicture => ({
  messageId: hit.message.id,
  address: hit.message.content,
  name: nameOf(hit),
  author: ('nickname' in hit.message.author && hit.message.author.nickname) || hit.message.author.username,
  at: hit.message.create_at,
})

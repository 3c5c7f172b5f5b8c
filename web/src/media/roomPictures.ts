/** The pictures of the room on screen, for the viewer that opens one of them. Written by the room's list. */

/** A picture in a message. */
export interface RoomPicture {
  readonly messageId: string
  /** Of a stored picture, or any other. */
  readonly address: string
  /** The name of its file; empty: it has none. */
  readonly name: string
  readonly author: string
  /** When it was sent, ms. */
  readonly at: number
}

/** What the viewer does with a room. */
export interface RoomPictures {
  readonly subscribe: (listener: () => void) => () => void
  /** In the order of the room. The same array as long as the messages are. */
  readonly all: () => readonly RoomPicture[]
  /** The message that an opened picture is in; null: it has gone. */
  readonly messageOf: (id: string) => Omit<RoomPicture, 'address' | 'name'> | null
  /** Loads what is older; false: there is nothing. */
  readonly loadOlder: () => boolean
  /** Null: the reader may not write here. */
  readonly reply: ((messageId: string) => void) | null
  readonly forward: ((messageId: string) => void) | null
  /** Shows the message where it was sent; absent: it is there already. */
  readonly show?: (messageId: string) => void
}

let shared: RoomPictures | null = null
let opened: { readonly messageId: string; readonly room: RoomPictures } | null = null

/** Offers the pictures of a room; null: none any more. */
export function shareRoomPictures(room: RoomPictures | null): void {
  shared = room
  if (!room) opened = null
}

/** A picture of this message was pressed, and the viewer is about to open. */
export function notePressed(messageId: string): void {
  opened = shared && { messageId, room: shared }
}

/** Where the picture that was pressed last is; null: not in a room, as one of a pinned message. */
export const lastPressed = (): typeof opened => opened

/** The viewer has opened: the next picture is another one. */
export function forgetPressed(): void {
  opened = null
}

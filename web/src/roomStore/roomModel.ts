import type { CallFailure } from '../kit/call.ts'
import { emptyRoom, type Room } from './room.ts'
import type { RoomEvent } from './roomEvent.ts'
import { reduceRoom } from './roomReducer.ts'

/** What screens see of a room. `failure` is that of the last page requested. */
export interface RoomSnapshot {
  readonly room: Room
  readonly loading: 'newest' | 'older' | 'newer' | 'around' | null
  readonly failure: CallFailure | null
  /** Queued messages wait for the network, and not only for the message before them. */
  readonly isWaiting: boolean
}

/** Observable state of one room. */
export class RoomModel {
  private current: RoomSnapshot
  private readonly listeners = new Set<() => void>()
  private readonly isWaiting: () => boolean
  private readonly onChange: (before: Room, now: Room) => void

  /** `onChange` is called before the listeners. */
  constructor(me: string, isWaiting: () => boolean, onChange: (before: Room, now: Room) => void) {
    this.current = { room: emptyRoom(me), loading: null, failure: null, isWaiting: false }
    this.isWaiting = isWaiting
    this.onChange = onChange
  }

  get snapshot(): RoomSnapshot {
    return this.current
  }

  get room(): Room {
    return this.current.room
  }

  get isObserved(): boolean {
    return this.listeners.size > 0
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Reduces an event, changes the given fields with it, and notifies the listeners once. */
  reduce(event: RoomEvent, fields: Partial<Omit<RoomSnapshot, 'room'>> = {}): void {
    this.set({ ...fields, room: reduceRoom(this.room, event) })
  }

  /** Computes `isWaiting` again and notifies the listeners. */
  refresh(): void {
    this.set({})
  }

  private set(fields: Partial<RoomSnapshot>): void {
    const before = this.room
    this.current = { ...this.current, ...fields, isWaiting: this.isWaiting() }
    if (this.room !== before) this.onChange(before, this.room)
    for (const listener of this.listeners) listener()
  }
}

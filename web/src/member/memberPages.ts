/**
 * The loaded part of a member list: pages of members from the first on, and the groups that they stand in.
 * Pure.
 */
import type { MemberGroup, Member as WireMember } from '@guildhall/wire/member/member.ts'
import { MEMBER_PAGE } from '@guildhall/wire/member/member.ts'

export type Member = WireMember

export interface MemberPages {
  /** Null: nothing is loaded yet. */
  readonly groups: readonly MemberGroup[] | null
  /**
   * Null in a page: who stood there is seen elsewhere, and who stands there now comes with the next answer.
   */
  readonly pages: readonly (readonly (Member | null)[])[]
}

export const noPages: MemberPages = { groups: null, pages: [] }

/**
 * With an answer to the page of this number; the newest answer knows the groups best. Pages are asked for one
 * after the other while people come and go, so that somebody may be in two: they stand in the newest.
 */
export function withPage(
  state: MemberPages,
  at: number,
  answer: { readonly data: readonly Member[]; readonly groups: readonly MemberGroup[] },
): MemberPages {
  // A page may be asked for again after the list became shorter.
  if (at > state.pages.length) return state
  const here = new Set(answer.data.map(({ id }) => id))
  const pages: (readonly (Member | null)[])[] = state.pages.map((page) =>
    page.map((it) => (it && here.has(it.id) ? null : it)),
  )
  pages[at] = answer.data
  const wanted = Math.max(1, Math.ceil(totalOf(answer.groups) / MEMBER_PAGE))
  return { groups: answer.groups, pages: pages.slice(0, wanted) }
}

export const totalOf = (groups: readonly MemberGroup[]): number =>
  groups.reduce((sum, { count }) => sum + count, 0)

/** True when the end of the list is loaded. */
export const isWhole = ({ groups, pages }: MemberPages): boolean =>
  groups !== null && pages.length * MEMBER_PAGE >= totalOf(groups)

/** A row on screen: the head of a group, or the member at a position. */
export type ListRow =
  | { readonly kind: 'head'; readonly group: MemberGroup }
  | { readonly kind: 'member'; readonly at: number; readonly member: Member | null }

interface Head {
  readonly row: number
  readonly first: number
  readonly group: MemberGroup
}

/** The rows of the loaded part, computed one by one: a list may have a hundred thousand. */
export class ListRows {
  readonly count: number
  readonly #heads: readonly Head[]
  readonly #pages: MemberPages['pages']

  constructor({ groups, pages }: MemberPages) {
    const heads: Head[] = []
    let first = 0
    for (const group of groups ?? []) {
      if (first >= pages.length * MEMBER_PAGE) break
      heads.push({ row: first + heads.length, first, group })
      first += group.count
    }
    this.#heads = heads
    this.#pages = pages
    this.count = Math.min(first, pages.length * MEMBER_PAGE) + heads.length
  }

  at(row: number): ListRow {
    const head = this.#heads.findLast((it) => it.row <= row)
    if (head?.row === row) return { kind: 'head', group: head.group }
    const at = head ? head.first + row - head.row - 1 : row
    return { kind: 'member', at, member: this.#pages[this.#pageOf(at)]?.[at % MEMBER_PAGE] ?? null }
  }

  /** The pages of some rows. */
  pagesOf(rows: readonly number[]): number[] {
    const shown = rows.filter((row) => row < this.count).map((row) => this.at(row))
    return [...new Set(shown.flatMap((it) => (it.kind === 'member' ? this.#pageOf(it.at) : [])))]
  }

  #pageOf(at: number): number {
    return Math.floor(at / MEMBER_PAGE)
  }
}

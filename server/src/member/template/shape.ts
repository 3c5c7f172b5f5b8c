/** What a template of a new guild has. */
import type { Locale } from '@guildhall/wire/locale.ts'

/** In both languages: the maker's is taken. */
type Name = Readonly<Record<Locale, string>>

export interface Template {
  /** The highest first. */
  readonly roles: readonly {
    readonly name: Name
    readonly color: number
    readonly permissions: number
    /** Shown apart in the list of members. */
    readonly hoist?: boolean
  }[]
  /** In their order; those without a category first. */
  readonly groups: readonly {
    readonly category?: Name
    readonly channels: readonly TemplateChannel[]
  }[]
}

interface TemplateChannel {
  readonly name: Name
  readonly topic?: Name
  readonly kind: 'text' | 'readOnly' | 'voice'
  /** Newcomers begin here and are welcomed; one text channel of each template. */
  readonly welcomes?: boolean
}

import type { Challenge } from '@guildhall/wire/captcha/captcha.ts'

/** What each kind gets to show its challenge and give the answer. */
export interface KindProps {
  readonly challenge: Challenge
  readonly problem: string
  readonly isBusy: boolean
  readonly onAnswer: (answer: string) => void
}

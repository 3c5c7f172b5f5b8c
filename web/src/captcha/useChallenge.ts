import { type CaptchaKind, type Challenge, captcha, checkCaptcha } from '@guildhall/wire/captcha/captcha.ts'
import { useCallback, useEffect, useRef, useState } from 'react'
import { CallFailure, call } from '../kit/call.ts'
import { type Started, startWork } from './startWork.ts'

/** The number that the captcha is solved for, as the refused call had it. */
export interface PhoneNumber {
  readonly mobile?: string
  readonly mobile_prefix?: string
  /** In place of a number. */
  readonly account?: string
}

/**
 * A challenge of a kind, another one after each wrong answer, and what is wrong. The old one stays until
 * then, and the work beside a picture is done while somebody looks at it. `onSolved` gets the `sign` of the
 * right answer. chat.md §8 "Captcha confirm failure".
 */
export function useChallenge(kind: CaptchaKind, number: PhoneNumber, onSolved: (sign: string) => void) {
  const [challenge, setChallenge] = useState<Challenge | null>(null)
  const [problem, setProblem] = useState('')
  const [isChecking, setIsChecking] = useState(false)
  const [isLoading, setIsLoading] = useState(true)
  /** Only the newest request counts. */
  const round = useRef(0)

  const load = useCallback(async () => {
    round.current += 1
    const mine = round.current
    setIsLoading(true)
    const made = await call(captcha, { kind, refresh: String(Date.now()) }).catch(failureOf)
    if (round.current !== mine) return
    setIsLoading(false)
    if (made instanceof CallFailure) setProblem(made.message)
    setChallenge(made instanceof CallFailure ? null : made)
  }, [kind])

  useEffect(() => {
    setProblem('')
    void load()
    return () => {
      round.current += 1
    }
  }, [load])

  const beside = useRef<Started | null>(null)
  useEffect(() => {
    const { kind: shown, work } = challenge ?? {}
    beside.current = work && shown !== 'work' ? startWork(work) : null
    return () => beside.current?.stop()
  }, [challenge])

  const answer = async (given: string) => {
    if (!challenge || isChecking || isLoading) return
    setIsChecking(true)
    const mine = round.current
    const counter = await beside.current?.counter
    const solved = { id: challenge.id, captcha: given, ...(counter && { counter }), ...number }
    const checked = await call(checkCaptcha, solved).catch(failureOf)
    setIsChecking(false)
    if (round.current !== mine) return
    if (!(checked instanceof CallFailure)) return onSolved(checked.sign)
    setProblem(checked.message)
    // Without an answer nobody knows whether the challenge was used.
    if (checked.name !== 'captcha.too_many') await load()
  }
  const refresh = () => {
    setProblem('')
    void load()
  }
  return { challenge, problem, isChecking, isLoading, answer, refresh }
}

function failureOf(error: unknown): CallFailure {
  if (error instanceof CallFailure) return error
  throw error
}

/**
 * Web worker for proofs of work: they take a second or more of a phone, in which a piece has to follow a
 * finger.
 */
import type { Work } from '@guildhall/wire/captcha/captcha.ts'
import { solveWork } from './solveWork.ts'

addEventListener('message', async ({ data }: MessageEvent<Work>) => {
  postMessage(await solveWork(data, new AbortController()))
})

import { expect } from '@playwright/test'

/** Waits until a condition holds, as long as the runner's `expect.timeout` allows. */
export const waitUntil = (condition: () => boolean | Promise<boolean>): Promise<void> =>
  expect.poll(condition, { intervals: [50] }).toBe(true)

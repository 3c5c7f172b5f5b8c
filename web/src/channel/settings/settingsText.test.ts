import { SLOW_MODES } from '@guildhall/wire/channel/publicChannel.ts'
import { expect, test } from 'vitest'
import { settingsText, slowLabel } from './settingsText.ts'

test('slow modes are said in whole seconds, minutes or hours', () => {
  const t = settingsText.en
  expect(SLOW_MODES.map((ms) => slowLabel(ms, t))).toEqual([
    'Off',
    '5 seconds',
    '10 seconds',
    '15 seconds',
    '30 seconds',
    '1 minute',
    '2 minutes',
    '5 minutes',
    '10 minutes',
    '15 minutes',
    '30 minutes',
    '1 hour',
    '2 hours',
    '6 hours',
  ])
})

import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { emojiCatalogue } from './web/catalogue.ts'

const PURE = [
  'wire/**/*.test.ts',
  'server/**/*.test.ts',
  'scripts/**/*.test.ts',
  'web/**/*.test.ts',
  'e2e/**/*.test.ts',
]
const NEVER = ['**/node_modules/**', '**/dist/**', '**/data/**']

/** A time limit ends a test that hangs; it is far above what a slow machine needs. */
const HANGS_MS = 300_000

/** The suffix of a test names what it needs: `.test.ts` nothing, `.test.tsx` a DOM, `.pg.test.ts` PostgreSQL, `.redis.test.ts` Redis, `.e2e.ts` a browser. */
export default defineConfig({
  test: {
    // By default one processor is left to Vitest itself, which is busy for a tenth of the time: half of two would rest.
    maxWorkers: availableParallelism(),
    projects: [
      {
        plugins: [emojiCatalogue()],
        test: {
          name: 'unit',
          // They touch no globals that outlive a file, so files share a process and what it has loaded.
          isolate: false,
          include: PURE,
          exclude: [...NEVER, '**/*.pg.test.ts', '**/*.redis.test.ts'],
          environment: 'node',
          testTimeout: HANGS_MS,
          expect: { poll: { timeout: 60_000 } },
        },
      },
      {
        plugins: [emojiCatalogue()],
        test: {
          name: 'screen',
          include: ['web/**/*.test.tsx'],
          exclude: NEVER,
          environment: 'happy-dom',
          setupFiles: ['web/src/testing/chineseLocale.ts', 'web/src/testing/asyncTimeout.ts'],
          testTimeout: HANGS_MS,
          expect: { poll: { timeout: 60_000 } },
        },
      },
      {
        test: {
          name: 'pg',
          include: ['server/**/*.pg.test.ts', 'server/**/*.redis.test.ts', 'e2e/**/*.pg.test.ts'],
          exclude: NEVER,
          environment: 'node',
          globalSetup: ['server/src/testing/cluster.ts'],
          testTimeout: HANGS_MS,
          expect: { poll: { timeout: 60_000 } },
          hookTimeout: HANGS_MS,
        },
      },
    ],
  },
})

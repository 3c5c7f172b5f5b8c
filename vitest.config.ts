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

/** The suffix of a test says what it needs: `.test.ts` nothing, `.test.tsx` a DOM, `.pg.test.ts` PostgreSQL, `.redis.test.ts` Redis, `.e2e.ts` a browser. */
export default defineConfig({
  test: {
    projects: [
      {
        plugins: [emojiCatalogue()],
        test: {
          name: 'unit',
          include: PURE,
          exclude: [...NEVER, '**/*.pg.test.ts', '**/*.redis.test.ts'],
          environment: 'node',
        },
      },
      {
        plugins: [emojiCatalogue()],
        test: {
          name: 'screen',
          include: ['web/**/*.test.tsx'],
          exclude: NEVER,
          environment: 'happy-dom',
          setupFiles: ['web/src/testing/chinese.ts'],
        },
      },
      {
        test: {
          name: 'pg',
          include: ['server/**/*.pg.test.ts', 'server/**/*.redis.test.ts', 'e2e/**/*.pg.test.ts'],
          exclude: NEVER,
          environment: 'node',
          globalSetup: ['server/src/testing/cluster.ts'],
          testTimeout: 20_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.e2e.ts'],
          exclude: NEVER,
          environment: 'node',
          globalSetup: ['server/src/testing/cluster.ts'],
          // Browsers and the server under test share two cores on a small machine.
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})

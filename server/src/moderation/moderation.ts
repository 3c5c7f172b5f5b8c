/**
 * Automatic moderation of guilds by those who manage them: rules, the engine that asks them about messages,
 * and the queue of what they hold. Decision 118.
 */
export { type EngineDeps, openModeration } from './engine.ts'

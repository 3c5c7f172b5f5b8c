/** The call whose answers a changed guild makes outdated. In a file of its own: a room needs no more. */
export const ONBOARDING_PATH = '/api/v3/guild-onboarding/view'

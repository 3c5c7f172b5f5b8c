/** What a new account is called until its owner chooses a name. */
export const newcomer = (digits: string): string => `用户${digits}`

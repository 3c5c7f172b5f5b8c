/** Whether a page needs more than `sms`. Apart from `ways.ts`, because the invite asks for no more. */
export const hasOtherWays = (cookies: string): boolean => /\bways=\w/.test(cookies)

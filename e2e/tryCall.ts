/** A call to a server that may be killed meanwhile. */

export interface Answer {
  readonly status: number
  readonly body: Record<string, unknown>
}

/** Null without a response: the server may or may not have carried out the call. */
export async function tryCall(
  url: string,
  token: string,
  at: string,
  body?: object,
  withinMs = 5_000,
): Promise<Answer | null> {
  try {
    const answer = await fetch(`${url}${at}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: token, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(withinMs),
    })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  } catch {
    return null
  }
}

import type { ApiCall } from './document.ts'

/** At most this many characters of a response are shown. */
const SHOWN_CHARACTERS = 20_000
const TIMEOUT_MS = 30_000

/** The response to a call, as text to show. `isCut`: the text is only the beginning of the body. */
export type CallResponse = { status: string; duration: string; text: string; isCut: boolean }

/** The values that were filled in for a call: its parameters by place and name, and its body. */
export type Filled = { parameters: Readonly<Record<string, string>>; body: string; token: string }

/** The key under which the value of a parameter is filled in. */
export const keyOf = ({ in: place, name }: { in: string; name: string }) => `${place} ${name}`

export const addressOf = ({ path, parameters }: ApiCall, filled: Filled['parameters']): string => {
  const filledFor = (name: string, place: string) => filled[keyOf({ in: place, name })] ?? ''
  const query = parameters.flatMap(({ in: place, name }): [string, string][] =>
    place === 'query' && filledFor(name, place) !== '' ? [[name, filledFor(name, place)]] : [],
  )
  const filledPath = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(filledFor(name, 'path')))
  return query.length > 0 ? `${filledPath}?${new URLSearchParams(query)}` : filledPath
}

const readSome = async (response: Response): Promise<string> => {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (reader && text.length <= SHOWN_CHARACTERS) {
    const { done, value } = await reader.read()
    if (done) return text
    text += value
  }
  await reader?.cancel()
  return text
}

const pretty = (text: string) => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Sends a call as the token's program if a token is filled in, else as the signed-in account. */
export const sendCall = async (call: ApiCall, { parameters, body, token }: Filled): Promise<CallResponse> => {
  const mediaType = Object.keys(call.requestBody?.content ?? {})[0]
  const headers = call.parameters.flatMap(({ in: place, name }): [string, string][] => {
    const value = parameters[keyOf({ in: place, name })]
    return place === 'header' && value ? [[name, value]] : []
  })
  const startedAt = performance.now()
  const response = await fetch(addressOf(call, parameters), {
    method: call.method,
    headers: [
      ...headers,
      ...(mediaType ? [['Content-Type', mediaType] as [string, string]] : []),
      ...(token ? [['Authorization', `Bearer ${token}`] as [string, string]] : []),
    ],
    credentials: token ? 'omit' : 'include',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(mediaType && { body }),
  })
  const text = pretty(await readSome(response))
  return {
    status: `${response.status} ${response.statusText}`.trim(),
    duration: `${Math.round(performance.now() - startedAt)} ms`,
    text: text.slice(0, SHOWN_CHARACTERS),
    isCut: text.length > SHOWN_CHARACTERS,
  }
}

import { MIMEType } from 'node:util'
import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import * as v from 'valibot'
import { errorCode } from '../../events/base/error-code.ts'
import { invalidInput, RequestError } from './errors.ts'
import { openLoopQueue } from './loop-queue.ts'
import { FORM_TYPES, isFormPost, mediaType } from './media-type.ts'

/** The largest body that is read, in bytes. */
export const MAX_BODY_BYTES = 64 * 1024
/** Our forms have a dozen. */
const MAX_FORM_FIELDS = 64
/** Browsers send two headers with a field, its name in one. */
const MAX_FIELD_HEADER_CHARACTERS = 4_096

/** Many bodies may arrive at once, and each takes milliseconds to decode. */
const queue = openLoopQueue()

/**
 * Refuses a body of more than this many bytes, before it is read if its length is stated. Hono's own limit reads the
 * body of every request, for which the adapter has to make a second request with a stream: only a body without a
 * length, in chunks, needs that.
 */
export const limitBody = (maxBytes: number) => {
  const refuse = () => {
    throw new RequestError('body_too_large', `A body may hold ${maxBytes / 1024} KiB`)
  }
  /** Counts the bytes as they arrive. */
  const limitChunks = bodyLimit({ maxSize: maxBytes, onError: refuse })
  return (c: Context): Promise<unknown> | undefined => {
    if (c.req.header('transfer-encoding') !== undefined) return limitChunks(c, async () => {})
    return Number(c.req.header('content-length') ?? 0) > maxBytes ? refuse() : undefined
  }
}

/** Whether a client interrupted its upload. */
const isBrokenOff = (error: unknown) => errorCode(error) === 'ECONNRESET'

const readText = async (c: Context): Promise<string> => {
  try {
    return await c.req.text()
  } catch (cause) {
    throw isBrokenOff(cause) ? new RequestError('malformed_body', 'The upload was interrupted', { cause }) : cause
  }
}

const parseJson = async (text: string): Promise<unknown> => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new RequestError('malformed_body', 'The body has to be JSON', { cause })
  }
}

/** Refuses a form of too many fields before it is decoded, which takes 0.1 s for as many as a body can hold. */
const limitFields = (fields: number) => {
  if (fields > MAX_FORM_FIELDS) throw new RequestError('invalid', `A form may hold ${MAX_FORM_FIELDS} fields`)
}

const decodeMultipart = (type: string, boundary: string | null, body: string) => {
  const parts = body.split(`--${boundary}`)
  limitFields(parts.length - 2)
  for (const part of parts) {
    const end = part.indexOf('\r\n\r\n')
    if ((end < 0 ? part.length : end) > MAX_FIELD_HEADER_CHARACTERS) {
      throw new RequestError('invalid', `The headers of a field may hold ${MAX_FIELD_HEADER_CHARACTERS} characters`)
    }
  }
  return new Response(body, { headers: { 'Content-Type': type } }).formData()
}

const decodeUrlencoded = (body: string) => {
  limitFields(body.split('&').length)
  return new URLSearchParams(body)
}

/** A form's fields as the JSON that a script would have sent: a ticked box is true. */
const parseForm = async (type: string, body: string): Promise<unknown> => {
  let fields: Record<string, unknown>
  try {
    const { essence, params } = new MIMEType(type)
    fields = Object.fromEntries(
      essence === 'multipart/form-data'
        ? await decodeMultipart(type, params.get('boundary'), body)
        : decodeUrlencoded(body),
    )
  } catch (cause) {
    if (cause instanceof RequestError) throw cause
    throw new RequestError('malformed_body', 'The body has to be a form', { cause })
  }
  return 'agreedToTerms' in fields
    ? { ...fields, agreedToTerms: ['on', 'true'].includes(String(fields.agreedToTerms)) }
    : fields
}

/** Reads a body, without validating it. Forms are accepted if `forms` is set. */
export const readInput = async (c: Context, { forms = false }: { forms?: boolean } = {}): Promise<unknown> => {
  const isForm = forms && isFormPost(c)
  if (!isForm && mediaType(c) !== 'application/json') {
    const accepted = forms ? ['application/json', ...FORM_TYPES] : ['application/json']
    throw new RequestError('unsupported_media_type', `Send ${accepted.join(' or ')}`)
  }
  const text = await readText(c)
  const input = await queue.run(() => (isForm ? parseForm(c.req.header('content-type') ?? '', text) : parseJson(text)))
  // an array is an object to a schema that requires nothing
  if (Array.isArray(input)) {
    const message = 'Must be an object, not an array'
    throw new RequestError('invalid', message, { fields: [{ path: '', message }] })
  }
  return input
}

/** Validates input of any origin by schema; throws an error with one message per field. */
export const validate = <Schema extends v.GenericSchema>(schema: Schema, input: unknown): v.InferOutput<Schema> => {
  const result = v.safeParse(schema, input)
  if (!result.success) throw invalidInput(result.issues)
  return result.output
}
